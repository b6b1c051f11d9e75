//! One case of `quote --batch` in, one JSON object out. Facts of a case count as checked, a refund is that of an entry
//! already approved.

use std::collections::BTreeMap;

use domain::{
    ByeRequest, Currency, Entrant, EntryRequest, Grade, Others, QuoteRequest, Reason, RefundAsk,
    RefundCause, SectionId, Taken, UtcTime,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Regulation;

#[derive(Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
enum Case {
    Fee {
        at: UtcTime,
        paid_at: Option<UtcTime>,
        received_at: Option<UtcTime>,
        currency: Option<Currency>,
        #[serde(default)]
        taken: Taken,
        #[serde(default)]
        others: Others,
        entries: Vec<EntryRequest>,
    },
    Refund(Refunded),
    Byes {
        section: SectionId,
        requests: Vec<ByeRequest>,
    },
}

#[derive(Deserialize)]
struct Refunded {
    paid: i64,
    currency: Currency,
    requested_at: UtcTime,
    section: Option<SectionId>,
    #[serde(default)]
    rows: BTreeMap<String, i64>,
    #[serde(default)]
    credit: bool,
    proof: Option<String>,
}

/// Answers one line of JSON: the case's `id` with the fields that its kind asks for (`eligible`, `currency` and `total`;
/// `refund` and `kept`; `allowed`) and the reasons of a refusal, or `id` and `error`. `find` gives the regulation of a tournament.
#[must_use]
pub fn answer<'a>(line: &str, find: impl Fn(&str) -> Option<&'a Regulation>) -> Value {
    let case: Value = match serde_json::from_str(line) {
        Ok(case) => case,
        Err(error) => return json!({ "id": null, "error": format!("not JSON: {error}") }),
    };
    let id = case.get("id").cloned().unwrap_or(Value::Null);
    match answer_case(case, find) {
        Ok(Value::Object(mut found)) => {
            found.insert("id".to_owned(), id);
            Value::Object(found)
        }
        Ok(_) => json!({ "id": id, "error": "no answer" }),
        Err(error) => json!({ "id": id, "error": error }),
    }
}

fn answer_case<'a>(
    case: Value,
    find: impl Fn(&str) -> Option<&'a Regulation>,
) -> Result<Value, String> {
    let tournament = case
        .get("tournament")
        .and_then(Value::as_str)
        .ok_or("tournament is missing")?;
    let regulation = find(tournament).ok_or_else(|| format!("unknown tournament {tournament}"))?;
    if let Some(field) = unknown_field(&case).or_else(|| unknown_inside(&case)) {
        return Err(format!("unknown field {field}"));
    }
    let taken = case.get("taken").and_then(Value::as_object);
    let mut rows = taken.into_iter().flat_map(|taken| taken.keys());
    if let Some(row) = rows.find(|row| regulation.limited_rows().all(|known| known != *row)) {
        return Err(format!("taken: there is no row {row} that is limited"));
    }
    match serde_json::from_value(case).map_err(|error| error.to_string())? {
        Case::Fee {
            at,
            paid_at,
            received_at,
            currency,
            taken,
            others,
            entries,
        } => Ok(fee(
            regulation,
            QuoteRequest {
                at,
                paid_at,
                received_at,
                currency,
                entries,
                standing: Vec::new(),
                taken,
                others,
            },
        )),
        Case::Refund(asked) => refund(regulation, asked),
        Case::Byes { section, requests } => {
            let answer = crate::byes(regulation, &section, &requests);
            Ok(if answer.allowed {
                json!({ "allowed": true })
            } else {
                json!({ "allowed": false, "reasons": reasons(&answer.reasons) })
            })
        }
    }
}

/// A field of a case that its kind does not have.
fn unknown_field(case: &Value) -> Option<&str> {
    let of_its_kind: &[&str] = match case.get("kind").and_then(Value::as_str)? {
        "fee" => &[
            "at",
            "paid_at",
            "received_at",
            "currency",
            "taken",
            "others",
            "entries",
        ],
        "refund" => &[
            "paid",
            "currency",
            "requested_at",
            "section",
            "rows",
            "credit",
            "proof",
        ],
        "byes" => &["section", "requests"],
        _ => return None,
    };
    let of_all = ["id", "kind", "tournament", "expect"];
    let known = |field: &str| of_all.contains(&field) || of_its_kind.contains(&field);
    let mut fields = case.as_object()?.keys().map(String::as_str);
    fields.find(|field| !known(field))
}

/// A field of an entry, or of `others`, that there is not. A code is redeemed by a desk, which counts its uses.
fn unknown_inside(case: &Value) -> Option<&str> {
    let entries = case.get("entries").and_then(Value::as_array);
    let mut entries = entries.into_iter().flatten();
    let of_entry = entries.find_map(|entry| other_than(entry, &["section", "entrant", "team"]));
    of_entry.or_else(|| {
        other_than(
            case.get("others")?,
            &["by_group", "in_order", "later_by_group", "later_in_order"],
        )
    })
}

fn other_than<'c>(value: &'c Value, known: &[&str]) -> Option<&'c str> {
    let mut fields = value.as_object()?.keys().map(String::as_str);
    fields.find(|field| !known.contains(field))
}

/// Why not: each code, with the field that it is about.
fn reasons(reasons: &[Reason]) -> Value {
    let told = |reason: &Reason| json!({ "code": reason.code, "field": reason.field });
    reasons.iter().map(told).collect()
}

fn fee(regulation: &Regulation, mut request: QuoteRequest) -> Value {
    for entry in &mut request.entries {
        check_all(&mut entry.entrant);
    }
    let quote = crate::quote(regulation, &request);
    if quote.eligible {
        json!({ "eligible": true, "currency": quote.currency, "total": quote.total })
    } else {
        json!({ "eligible": false, "reasons": reasons(&quote.reasons) })
    }
}

fn check_all(entrant: &mut Entrant) {
    for fact in entrant.facts() {
        let by = "batch".to_owned();
        let grades = entrant.grades_mut().entry(*fact);
        grades.or_insert(Grade::Checked { by });
    }
}

fn refund(regulation: &Regulation, asked: Refunded) -> Result<Value, String> {
    if asked.paid < 0 || asked.rows.values().any(|paid| *paid < 0) {
        return Err("paid is negative".to_owned());
    }
    if let Some(proof) = &asked.proof
        && regulation.proofs().all(|(tier, _)| tier != proof)
    {
        return Err(format!("proof: there is no tier {proof} that asks for one"));
    }
    let taken = regulation.currencies();
    if !taken.contains(&asked.currency) {
        let codes: Vec<&str> = taken.iter().map(|taken| taken.code()).collect();
        return Err(format!(
            "the tournament's currency is {}",
            codes.join(" or ")
        ));
    }
    let ask = RefundAsk {
        paid: asked.paid,
        currency: asked.currency,
        requested_at: asked.requested_at,
        cause: RefundCause::Player,
        approved: true,
        section: asked.section,
        rows: asked.rows,
        credit: asked.credit,
        proof: asked.proof,
    };
    let answer = crate::refund(regulation, &ask);
    Ok(json!({ "refund": answer.refund, "kept": answer.kept }))
}
