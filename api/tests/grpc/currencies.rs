//! A tournament with two currencies side by side at the gRPC door.

use proto::registration::v1 as desk;
use proto::rules::v1 as engine;
use rules::Regulation;
use tonic::Code;

use crate::facts::{entry, money, order, player};
use crate::stand::{Stand, assert_row, signed};

/// 140 crowns or 5.50 euros, and 10 or 0.50 for the rating.
const PRAGUE: &str = "prg21";

async fn stand() -> Stand {
    let stand = Stand::new().await;
    let text = include_str!("../../../rules/tests/fixtures/regulations/prg21.toml");
    let keep = "keep = { amount = { CZK = 50, EUR = 2 } }";
    let text = format!(
        "{text}\n[[refund.tier]]\nid = \"handling\"\nrequested = {{ before = 2021-06-12 }}\n{keep}\n"
    );
    let regulation = Regulation::parse("prg21.toml", &text, 1).unwrap();
    let at = "2021-06-01T12:00:00+02:00".parse().unwrap();
    stand.clock.set(regulation.tournament(), at).unwrap();
    let taken_in = stand.app.desk.take_in(stand.organiser, regulation);
    taken_in.await.unwrap();
    stand
}

fn question(currency: Option<&str>) -> engine::QuoteRequest {
    engine::QuoteRequest {
        tournament: PRAGUE.to_owned(),
        entries: vec![entry("open", player("Some One"))],
        currency: currency.map(str::to_owned),
        ..engine::QuoteRequest::default()
    }
}

#[tokio::test]
async fn a_quote_and_its_check_are_in_the_currency_asked_for() {
    let stand = stand().await;
    let listed = desk::GetTournamentRequest {
        tournament: PRAGUE.to_owned(),
    };
    let shown = stand.payers().get_tournament(listed).await.unwrap();
    let shown = shown.into_inner().tournament.unwrap();
    assert_eq!(
        (&*shown.currency, shown.currencies),
        ("CZK", vec!["CZK".to_owned(), "EUR".to_owned()])
    );
    for (currency, total) in [
        (None, money(15_000, "CZK")),
        (Some("EUR"), money(600, "EUR")),
        (Some("czk"), money(15_000, "CZK")),
    ] {
        let answer = stand.rules().quote(question(currency)).await.unwrap();
        assert_eq!(answer.into_inner().quote.unwrap().total, Some(total));
    }
    let check = |currency: &str| engine::CheckEligibilityRequest {
        tournament: PRAGUE.to_owned(),
        entries: question(None).entries,
        currency: Some(currency.to_owned()),
        ..engine::CheckEligibilityRequest::default()
    };
    let euros = stand.rules().check_eligibility(check("EUR")).await.unwrap();
    assert!(euros.into_inner().eligible);
    let dollars = stand.rules().check_eligibility(check("USD")).await.unwrap();
    let reasons = dollars.into_inner().reasons;
    assert_eq!(
        (&*reasons[0].code, &*reasons[0].field),
        ("currency_not_taken", "currency")
    );
    let status = stand
        .rules()
        .quote(question(Some("euro")))
        .await
        .unwrap_err();
    let row = (
        Code::InvalidArgument,
        "invalid-fields",
        &["currency: not_a_currency"][..],
    );
    assert_row("euro", &status, row);
    stand.stop().await;
}

#[tokio::test]
async fn an_order_is_registered_in_the_currency_asked_for() {
    let stand = stand().await;
    let asked = |currency: Option<&str>, name: &str| desk::RegisterRequest {
        currency: currency.map(str::to_owned),
        consents: Vec::new(),
        ..order(PRAGUE, vec![entry("open", player(name))])
    };
    let message = desk::RegisterRequest {
        expected_total: Some(money(600, "EUR")),
        ..asked(Some("EUR"), "In Euros")
    };
    let taken = stand.payers().register(signed(message, "", "")).await;
    let taken = taken.unwrap().into_inner().order.unwrap();
    assert_eq!(taken.total, Some(money(600, "EUR")));
    let message = asked(Some("USD"), "In Dollars");
    let status = stand.payers().register(signed(message, "", "")).await;
    let row = (
        Code::InvalidArgument,
        "ineligible",
        &["currency: currency_not_taken"][..],
    );
    assert_row("dollars", &status.unwrap_err(), row);
    for (paid, kept) in [
        (money(600, "EUR"), money(200, "EUR")),
        (money(15_000, "CZK"), money(5_000, "CZK")),
    ] {
        let message = engine::QuoteRefundRequest {
            tournament: PRAGUE.to_owned(),
            paid: Some(paid),
            approved: true,
            ..engine::QuoteRefundRequest::default()
        };
        let told = stand.rules().quote_refund(message).await.unwrap();
        assert_eq!(told.into_inner().refund_quote.unwrap().kept, Some(kept));
    }
    stand.stop().await;
}
