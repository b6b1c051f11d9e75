//! Regulations over gRPC: looked at, previewed, published, listed, described.

use api::auth::Role;
use proto::registration::v1 as api_v1;
use proto::rules::v1 as engine;
use tonic::Code;

use crate::facts::{entry, order, player};
use crate::stand::{BARCELONA, Stand, assert_fields_of, assert_row, signed};

fn text() -> String {
    let file = format!(
        "{}/../regulations/{BARCELONA}.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(file).unwrap()
}

fn publish(source: String, replaces: i32) -> api_v1::PublishRegulationRequest {
    api_v1::PublishRegulationRequest {
        tournament: BARCELONA.to_owned(),
        source,
        replaces,
        reason: "printed wrong".to_owned(),
    }
}

fn describe(version: i32) -> engine::DescribeRegulationRequest {
    engine::DescribeRegulationRequest {
        tournament: BARCELONA.to_owned(),
        version,
    }
}

#[tokio::test]
async fn a_version_is_previewed_published_listed_and_described() {
    let stand = Stand::new().await;
    let admin = stand.key(&[Role::Admin]).await;
    let message = order(BARCELONA, vec![entry("A", player("Abans"))]);
    stand
        .payers()
        .register(signed(message, "", "o1"))
        .await
        .unwrap();
    let dearer = text().replace("A = 65, B = 55, C = 55", "A = 70, B = 60, C = 60");
    let ask = api_v1::PreviewRegulationRequest {
        tournament: BARCELONA.to_owned(),
        source: dearer.clone(),
    };
    let told = stand
        .desk()
        .preview_regulation(signed(ask, &admin, ""))
        .await;
    let told = told.unwrap().into_inner().preview.unwrap();
    assert!(told.publishable && !told.same && told.replaces == 1);
    let touched = told.touched.unwrap();
    let shift = touched.dearer.unwrap();
    assert_eq!(
        (touched.entries, shift.entries, shift.sum.unwrap().amount),
        (1, 1, 500)
    );
    assert_eq!(shift.examples[0].form_number, 1);
    let before = told
        .prices
        .unwrap()
        .changes
        .remove(0)
        .before
        .unwrap()
        .outcome;
    assert!(matches!(
        before,
        Some(api_v1::price_outcome::Outcome::Price(_))
    ));

    let again = || signed(publish(dearer.clone(), 1), &admin, "p1");
    let made = stand.desk().publish_regulation(again()).await;
    let made = made.unwrap().into_inner();
    let answer = stand.desk().publish_regulation(again()).await;
    assert_eq!(answer.unwrap().into_inner(), made);
    assert_eq!((made.version, made.new), (2, true));

    let list = api_v1::ListRegulationVersionsRequest {
        tournament: BARCELONA.to_owned(),
        ..Default::default()
    };
    let viewer = stand.key(&[Role::Viewer]).await;
    let listed = stand
        .desk()
        .list_regulation_versions(signed(list, &viewer, ""))
        .await;
    let versions = listed.unwrap().into_inner().versions;
    let numbers = versions
        .iter()
        .map(|v| v.regulation.as_ref().unwrap().version);
    assert_eq!(numbers.collect::<Vec<_>>(), [1, 2]);
    assert_eq!(versions[1].reason, "printed wrong");

    for (version, number, source) in [(0, 2, &dearer), (2, 2, &dearer), (1, 1, &text())] {
        let one = stand
            .rules()
            .describe_regulation(describe(version))
            .await
            .unwrap();
        let one = one.into_inner().regulation.unwrap();
        assert_eq!(
            (one.regulation.unwrap().version, &one.source),
            (number, source)
        );
    }
}

#[tokio::test]
async fn what_may_not_be_published_is_refused_with_the_fields_of_the_message() {
    let stand = Stand::new().await;
    let admin = stand.key(&[Role::Admin]).await;
    let message = order(BARCELONA, vec![entry("A", player("Perez, Ana"))]);
    stand
        .payers()
        .register(signed(message, "", "o1"))
        .await
        .unwrap();
    let rows = stand.journal_rows().await;
    let empty = api_v1::PublishRegulationRequest {
        tournament: BARCELONA.to_owned(),
        ..Default::default()
    };
    let named = "enroc.registration.v1.PublishRegulationRequest";
    for (name, ask, row) in [
        (
            "empty",
            empty,
            (
                Code::InvalidArgument,
                "invalid-fields",
                &[
                    "source: required",
                    "replaces: out_of_range",
                    "reason: required",
                ][..],
            ),
        ),
        (
            "no toml",
            publish("x = ".to_owned(), 1),
            (
                Code::InvalidArgument,
                "invalid-fields",
                &["source: unreadable"],
            ),
        ),
        (
            "stale",
            publish(text() + "# more\n", 3),
            (
                Code::Aborted,
                "changed-meanwhile",
                &["replaces: replaced_meanwhile"],
            ),
        ),
        (
            "currency",
            publish(text().replace("\"EUR\"", "\"PEN\""), 1),
            (
                Code::FailedPrecondition,
                "illegal-move",
                &["source: currency_in_use"],
            ),
        ),
    ] {
        let status = stand
            .desk()
            .publish_regulation(signed(ask, &admin, ""))
            .await
            .unwrap_err();
        assert_row(name, &status, row);
        assert_fields_of(named, &status);
    }
    assert_eq!(stand.journal_rows().await, rows);
}

#[tokio::test]
async fn only_an_admin_publishes_and_only_what_was_published_is_described() {
    let stand = Stand::new().await;
    let arbiter = stand.key(&[Role::Arbiter]).await;
    let ask = publish(text() + "# more\n", 1);
    let status = stand
        .desk()
        .publish_regulation(signed(ask, &arbiter, ""))
        .await
        .unwrap_err();
    assert_row(
        "arbiter",
        &status,
        (Code::PermissionDenied, "denied", &["authorization: denied"]),
    );
    let status = stand
        .rules()
        .describe_regulation(describe(9))
        .await
        .unwrap_err();
    assert_row(
        "version 9",
        &status,
        (
            Code::NotFound,
            "unknown-version",
            &["version: unknown_version"],
        ),
    );
}

#[tokio::test]
async fn a_text_is_looked_at_for_a_key_with_the_role_rules() {
    let stand = Stand::new().await;
    let ask = |source: String| engine::CheckRegulationRequest { source };
    let status = stand
        .rules()
        .check_regulation(ask(text()))
        .await
        .unwrap_err();
    assert_row(
        "nobody",
        &status,
        (
            Code::Unauthenticated,
            "unauthenticated",
            &["authorization: unauthenticated"],
        ),
    );
    let rules = stand.key(&[Role::Rules]).await;
    let good = stand
        .rules()
        .check_regulation(signed(ask(text()), &rules, ""))
        .await;
    let good = good.unwrap().into_inner();
    assert_eq!((good.good, &*good.tournament), (true, BARCELONA));
    let bad = ask(text().replace("rounds = 10", "rounds = \"ten\""));
    let bad = stand
        .rules()
        .check_regulation(signed(bad, &rules, ""))
        .await
        .unwrap()
        .into_inner();
    assert!(!bad.good && bad.tournament.is_empty());
    assert_eq!(
        (&*bad.findings[0].code, bad.findings[0].severity()),
        ("unreadable", engine::Severity::Error)
    );
    assert!(bad.findings[0].line > 1);
    let status = stand
        .rules()
        .check_regulation(signed(ask(String::new()), &rules, ""))
        .await
        .unwrap_err();
    assert_row(
        "empty",
        &status,
        (
            Code::InvalidArgument,
            "invalid-fields",
            &["source: required"],
        ),
    );
}
