//! A story of each kind, with a name that tries to be more than a name.

use domain::{
    ByePoints, ByeRequest, Currency, EntryId, Language, Line, LineKind, Money, OrderId,
    OrderReference, Quote, RegulationRef, Status, Text, UtcTime,
};
use jiff::tz::TimeZone;
use store::orders::Order;

use super::super::MailKind;
use super::super::occasion::{News, Stood};
use super::super::story::Story;
use crate::settings::Venue;
pub const EVIL: &str = "Ana\r\nBcc: all@example.org <script>alert('&\"')</script>\u{2028}x";

pub fn at(text: &str) -> UtcTime {
    text.parse().unwrap()
}

pub fn eur() -> Currency {
    "EUR".parse().unwrap()
}

pub fn text(ca: &str) -> Text {
    Text::new(ca, format!("es {ca}"), format!("en {ca}"))
}

pub fn line(kind: LineKind, amount: i64, article: &str) -> Line {
    Line {
        entry: 0,
        kind,
        rule: "r".into(),
        article: article.into(),
        text: text("Línia <base>"),
        amount,
        with: None,
    }
}

pub fn order() -> Order {
    let regulation = RegulationRef {
        tournament: "ciutat-2026".parse().unwrap(),
        version: 1,
        hash: "00".into(),
        language: 1,
    };
    Order {
        id: OrderId(1),
        tournament: regulation.tournament.clone(),
        reference: OrderReference::from_random(7),
        currency: eur(),
        total: 5_500,
        paid: 0,
        refunded: 0,
        kept: 0,
        version: 1,
        quote: Quote {
            regulation,
            at: at("2026-07-01T10:00:00Z"),
            eligible: true,
            reasons: Vec::new(),
            currency: eur(),
            total: 5_500,
            entries: Vec::new(),
            lines: vec![
                line(LineKind::Base, 6_000, "art. 5"),
                line(LineKind::Adjustment, -500, ""),
            ],
            claims: Vec::new(),
            facts: Vec::new(),
            valid_until: None,
            paid_at: None,
            received_at: None,
            taken: domain::Taken::new(),
            others: domain::Others::default(),
        },
        standing: Vec::new(),
        priced_at: at("2026-07-01T10:00:00Z"),
        hold_until: Some(at("2026-07-02T10:00:00Z")),
        attempts: 0,
        token_generation: 0,
        created_at: at("2026-07-01T10:00:00Z"),
        paid_as_of: None,
        received_as_of: None,
        reprice_at: None,
    }
}

pub fn story(kind: MailKind, language: Language, status: Status) -> Story {
    Story {
        kind,
        tournament: "ciutat-2026".parse().unwrap(),
        number: 12,
        venue: Venue {
            name: text("Ciutat"),
            time_zone: TimeZone::get("Europe/Madrid").unwrap(),
            sections: [(
                "A".parse().unwrap(),
                Text::new("Grup A", "Grupo A", "Group A"),
            )]
            .into(),
            counts_from_slip: true,
        },
        link: "https://desk.example/o?a=1&t=secret".into(),
        lines: order().quote.lines,
        order: order(),
        payer: Some(EVIL.into()),
        email: "ana@example.org".into(),
        language,
        entries: vec![Stood {
            entry: EntryId(1),
            form_number: 3,
            section: Some("A".parse().unwrap()),
            status,
            price: 5_500,
        }],
        names: [(EntryId(1), EVIL.to_owned())].into(),
        news: Vec::new(),
        passed: false,
        now: at("2026-07-01T10:00:05Z"),
        position: (kind == MailKind::Waitlisted).then_some(4),
        unseated: false,
        amount: Some(Money::new(5_500, eur())),
        slip_number: matches!(kind, MailKind::SlipReported | MailKind::SlipRefused)
            .then(|| "0042".into()),
        processing: None,
        refund: None,
        credit: false,
        reason: Some(EVIL.into()),
    }
}

pub fn placed(from: Option<&str>, difference: i64) -> News {
    News::Section {
        entry: EntryId(1),
        from: from.map(|id| id.parse().unwrap()),
        to: "A".parse().unwrap(),
        price: 5_500,
        difference,
    }
}

pub fn priced(rule: &str) -> News {
    News::Price {
        entry: EntryId(1),
        from: 6_000,
        to: 5_500,
        rule: rule.into(),
    }
}

pub fn byes(granted: bool) -> News {
    let bye = |round, points| ByeRequest { round, points };
    News::Byes {
        entry: EntryId(1),
        byes: vec![bye(2, ByePoints::Half), bye(7, ByePoints::Zero)],
        granted,
    }
}

pub fn every_news() -> Vec<News> {
    let sections = [Some("A"), None].into_iter();
    let mut all: Vec<News> = sections
        .flat_map(|from| [1_000, 0, -500].map(|difference| placed(from, difference)))
        .collect();
    all.extend(
        [
            "paid",
            "members",
            "promotion",
            "fact_upheld",
            "deposit",
            "x",
        ]
        .map(priced),
    );
    all.extend([byes(true), byes(false), News::Received(5_500)]);
    all
}

pub fn clause() -> (String, Text) {
    ("art. 9".into(), text("La meitat"))
}
