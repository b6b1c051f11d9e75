//! What staff ask that cannot be: each has its name and its field.

use api::auth::Role;
use proto::registration::v1 as api_v1;
use proto::rules::v1 as engine;
use tonic::Code;

use crate::facts::{money, player};
use crate::payers::registered;
use crate::stand::{BARCELONA, Row, Stand, assert_row, signed};

#[tokio::test]
async fn a_page_goes_on_from_where_one_ended() {
    let stand = Stand::new().await;
    let viewer = stand.key(&[Role::Viewer]).await;
    let row = |fields: &'static [&'static str]| (Code::InvalidArgument, "invalid-fields", fields);
    for after in [-5, i64::MIN] {
        let asked = api_v1::GetJournalRequest {
            tournament: BARCELONA.to_owned(),
            after,
            page_size: 0,
        };
        let status = stand.desk().get_journal(signed(asked, &viewer, "")).await;
        assert_row("journal", &status.unwrap_err(), row(&["after: not_an_id"]));
    }
    for token in ["xx", "a b", "-5"] {
        let asked = api_v1::ListTournamentsRequest {
            page_size: 0,
            page_token: token.to_owned(),
        };
        let status = stand.payers().list_tournaments(asked).await.unwrap_err();
        assert_row(token, &status, row(&["page_token: not_an_id"]));
        let asked = api_v1::ListOrdersRequest {
            tournament: BARCELONA.to_owned(),
            page_token: token.to_owned(),
            ..Default::default()
        };
        let status = stand.desk().list_orders(signed(asked, &viewer, "")).await;
        assert_row(token, &status.unwrap_err(), row(&["page_token: not_an_id"]));
    }
}

#[tokio::test]
async fn a_code_s_uses_and_price_are_told_apart() {
    let stand = Stand::new().await;
    let admin = stand.key(&[Role::Admin]).await;
    for (uses, price, field) in [
        (0, money(2_000, "EUR"), "uses: out_of_range"),
        (1, money(-1, "EUR"), "agreed_price.amount: out_of_range"),
        (
            1,
            money(2_000, "USD"),
            "agreed_price.currency: other_currency",
        ),
    ] {
        let asked = api_v1::IssueCodeRequest {
            tournament: BARCELONA.to_owned(),
            label: "gm".to_owned(),
            uses,
            agreed_price: Some(price),
            reason: String::new(),
        };
        let status = stand.desk().issue_code(signed(asked, &admin, "")).await;
        let row: Row<'_> = (Code::InvalidArgument, "invalid-fields", &[field]);
        assert_row(field, &status.unwrap_err(), row);
    }
}

#[tokio::test]
async fn a_corrected_fact_that_is_none_is_named() {
    let stand = Stand::new().await;
    let arbiter = stand.key(&[Role::Arbiter]).await;
    let (order, _) = registered(&stand, "Declared").await;
    let birth = engine::Player {
        birth_date: "1990-02-30".to_owned(),
        ..player("Declared")
    };
    let club = |name: &str| engine::Player {
        club: Some(name.to_owned()),
        ..player("Declared")
    };
    for (fact, found, field) in [
        (engine::FactName::BirthDate, birth, "corrected: not_a_value"),
        (
            engine::FactName::Club,
            club("Club\nOne"),
            "corrected: not_one_line",
        ),
        (
            engine::FactName::Club,
            club(&"x".repeat(301)),
            "corrected: too_long",
        ),
    ] {
        let asked = api_v1::CheckFactRequest {
            entry: order.entries[0].id.clone(),
            fact: fact.into(),
            upheld: false,
            corrected: Some(engine::Entrant {
                who: Some(engine::entrant::Who::Entrant(found)),
            }),
            reason: String::new(),
        };
        let status = stand.desk().check_fact(signed(asked, &arbiter, "")).await;
        let row: Row<'_> = (Code::InvalidArgument, "invalid-fields", &[field]);
        assert_row(field, &status.unwrap_err(), row);
    }
}

#[tokio::test]
async fn a_capacity_is_that_of_a_hall() {
    let stand = Stand::closed().await;
    let admin = stand.key(&[Role::Admin]).await;
    for (capacity, field) in [
        (0, "capacity: too_small"),
        (100_001, "capacity: too_large"),
        (1_000_000_000_000, "capacity: too_large"),
    ] {
        let asked = api_v1::OpenTournamentRequest {
            tournament: BARCELONA.to_owned(),
            capacity,
            reason: String::new(),
        };
        let mut desk = stand.desk();
        let answer = desk.open_tournament(signed(asked, &admin, ""));
        let row: Row<'_> = (Code::InvalidArgument, "invalid-fields", &[field]);
        assert_row(field, &answer.await.unwrap_err(), row);
    }
}
