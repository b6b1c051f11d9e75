//! Signatures made elsewhere, by Python's `hmac`; and everything that a header or a body may lack.

use domain::{Problem, UtcTime};
use payments::{Secret, WebhookRefusal, verify};

const BODY: &[u8] = br#"{"id":"evt_1","type":"checkout.session.completed","created":1785542400,"api_version":"2026-09-30.endive","livemode":false,"data":{"object":{"id":"cs_test_1","object":"checkout.session"}}}"#;
/// `whsec_old` and `whsec_new` over `1785542400.` and the body.
const OLD: &str = "765ccceb231d5d6617a8d44b46550204d67724e39150b9cc1f84836f79a2ca8b";
const NEW: &str = "212d38632311671526f10a376fbfce5952fb0fe93d7a3cec639c25762dd5d22b";
/// `whsec_new` over `1785542400.` and a body of other alphabets, and one that is not UTF-8.
const ACCENTS: &str = "ec5307d4d1ae496d0b5ea191cc7f8404d404d4b538a1abfcff6aa6c54d6a41c4";
const BYTES: &str = "4ba4dea2afeb4d1fc978c390a8b4635734f984f3da941e1a4e5d03576501905d";
const AT: i64 = 1_785_542_400;

fn secrets() -> Vec<Secret> {
    vec!["whsec_new".into()]
}

fn at(second: i64) -> UtcTime {
    UtcTime::from_micros(second * 1_000_000)
}

fn judge(header: &str) -> Result<String, WebhookRefusal> {
    verify(&secrets(), Some(header), BODY, at(AT)).map(|envelope| envelope.id)
}

#[test]
fn a_right_signature_opens_the_envelope() {
    let envelope = verify(&secrets(), Some(&format!("t={AT},v1={NEW}")), BODY, at(AT)).unwrap();
    assert_eq!(
        (envelope.id.as_str(), envelope.kind.as_str()),
        ("evt_1", "checkout.session.completed")
    );
    assert_eq!(
        (envelope.created, envelope.livemode),
        (Some(AT), Some(false))
    );
    assert_eq!(envelope.api_version.as_deref(), Some("2026-09-30.endive"));
    assert_eq!(envelope.object.as_deref(), Some("cs_test_1"));
    assert_eq!(envelope.object_kind.as_deref(), Some("checkout.session"));
}

#[test]
fn headers_are_judged() {
    let zeros = "0".repeat(64);
    let good = Ok("evt_1".to_owned());
    let bad = || Err(WebhookRefusal::Bad);
    for (header, verdict) in [
        (format!("t={AT},v1={NEW}"), good.clone()),
        (format!("t={AT},v1={zeros},v1={NEW}"), good.clone()),
        (
            format!("t={AT},v1={NEW},v1={zeros},v0={zeros}"),
            good.clone(),
        ),
        (format!("v1={NEW}, t={AT}"), good.clone()),
        (format!("t={AT},v1={}", NEW.to_uppercase()), good),
        (format!("t={AT},v1={OLD}"), bad()),
        (format!("t={AT},v0={NEW}"), bad()),
        (format!("t={AT},v1={zeros}"), bad()),
        (format!("t={AT},v1={}", &NEW[..63]), bad()),
        (format!("t={AT},v1={NEW}00"), bad()),
        (format!("t={AT},v1="), bad()),
        (format!("t={AT}"), bad()),
        (format!("v1={NEW}"), bad()),
        (format!("t={},v1={NEW}", AT + 1), bad()),
        (format!("t={AT},t={AT},v1={NEW}"), bad()),
        (format!("t=now,v1={NEW}"), bad()),
        (NEW.to_owned(), bad()),
        (format!("t={AT},v1=+{}", &NEW[1..]), bad()),
        (format!("t={AT},v1={}", "é".repeat(32)), bad()),
        (String::new(), Err(WebhookRefusal::Missing)),
        (" ".to_owned(), Err(WebhookRefusal::Missing)),
    ] {
        assert_eq!(judge(&header), verdict, "{header}");
    }
    assert_eq!(
        verify(&secrets(), None, BODY, at(AT)),
        Err(WebhookRefusal::Missing)
    );
}

#[test]
fn one_changed_byte_breaks_it() {
    let header = format!("t={AT},v1={NEW}");
    for place in 0..BODY.len() {
        let mut body = BODY.to_vec();
        body[place] ^= 1;
        assert_eq!(
            verify(&secrets(), Some(&header), &body, at(AT)),
            Err(WebhookRefusal::Bad),
            "byte {place}"
        );
    }
    let longer = [BODY, b" "].concat();
    assert_eq!(
        verify(&secrets(), Some(&header), &longer, at(AT)),
        Err(WebhookRefusal::Bad)
    );
}

#[test]
fn either_secret_counts_while_one_replaces_the_other() {
    let both = vec![Secret::from("whsec_old"), Secret::from("whsec_new")];
    for signature in [OLD, NEW] {
        assert!(verify(&both, Some(&format!("t={AT},v1={signature}")), BODY, at(AT)).is_ok());
    }
    assert_eq!(
        verify(&[], Some(&format!("t={AT},v1={NEW}")), BODY, at(AT)),
        Err(WebhookRefusal::Bad)
    );
}

#[test]
fn five_minutes_are_admitted_either_way() {
    let header = format!("t={AT},v1={NEW}");
    for (now, verdict) in [
        (AT + 300, None),
        (AT - 300, None),
        (AT + 301, Some(WebhookRefusal::Old(301))),
        (AT - 301, Some(WebhookRefusal::Old(-301))),
    ] {
        assert_eq!(
            verify(&secrets(), Some(&header), BODY, at(now)).err(),
            verdict,
            "{now}"
        );
    }
    // A wrong signature is wrong however old: age tells a forger nothing.
    let forged = format!("t={AT},v1={OLD}");
    assert_eq!(
        verify(&secrets(), Some(&forged), BODY, at(AT + 9_999)),
        Err(WebhookRefusal::Bad)
    );
}

#[test]
fn raw_bytes_are_signed_whatever_they_are() {
    let accents =
        r#"{"id":"evt_2","type":"x","data":{"object":{"id":"é\u00e9","object":"ñ"}}}"#.as_bytes();
    let envelope = verify(
        &secrets(),
        Some(&format!("t={AT},v1={ACCENTS}")),
        accents,
        at(AT),
    )
    .unwrap();
    assert_eq!(envelope.object.as_deref(), Some("éé"));
    let refusal = verify(
        &secrets(),
        Some(&format!("t={AT},v1={BYTES}")),
        b"\xff\xfe{}",
        at(AT),
    );
    assert_eq!(
        refusal,
        Err(WebhookRefusal::Body {
            field: "body",
            rule: "not_json"
        })
    );
}

#[test]
fn a_refusal_names_its_field_and_rule() {
    for (refusal, slug, field, rule) in [
        (
            WebhookRefusal::Missing,
            "bad-signature",
            "Stripe-Signature",
            "missing_signature",
        ),
        (
            WebhookRefusal::Bad,
            "bad-signature",
            "Stripe-Signature",
            "bad_signature",
        ),
        (
            WebhookRefusal::Old(301),
            "bad-signature",
            "Stripe-Signature",
            "old_signature",
        ),
        (
            WebhookRefusal::Body {
                field: "data.object",
                rule: "required",
            },
            "malformed-body",
            "data.object",
            "required",
        ),
    ] {
        let problem = Problem::from(refusal);
        assert_eq!(problem.slug.as_str(), slug);
        assert_eq!(
            (
                problem.fields[0].field.as_str(),
                problem.fields[0].rule.as_str()
            ),
            (field, rule)
        );
    }
}
