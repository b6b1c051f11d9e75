//! `[play]`, `[entry]`, `[payment]`, `[[capacity]]` and the sections.

use domain::SectionId;

use super::amounts::Sections;
use super::clauses::section_ids;
use super::instants::{self, Clockwork};
use super::limits;
use super::reader::Item;
use super::table::Table;
use crate::regulation::{EntryTerms, Play};
use crate::terms::{
    Approval, CapacityRule, Effective, EntrantKind, IdentityScope, Ordering, OrganiserRights,
    PaymentMethods, Section, WhenFull, Window,
};

pub(super) fn play(top: &mut Table<'_, '_>, clock: &Clockwork) -> Option<Play> {
    let item = top.required("play")?;
    let mut table = item.table()?;
    let play = Play {
        first: instants::date(&table.required("first")?)?,
        last: instants::date(&table.required("last")?)?,
        begins: clock.instant(&table.required("begins")?)?,
        rounds: table.required("rounds")?.count()?,
    };
    table.done();
    if play.first > play.last {
        return item.refuse("the last day is before the first");
    }
    let begins = play.begins.timestamp().to_zoned(clock.zone.clone()).date();
    if begins != play.first {
        return item.refuse("the first round begins on another day than the first");
    }
    if play.rounds == 0 {
        return item.refuse("expected at least one round");
    }
    Some(play)
}

pub(super) fn entry(top: &mut Table<'_, '_>, clock: &Clockwork) -> Option<EntryTerms> {
    let mut table = top.required("entry")?.table()?;
    let opens = match table.get("opens") {
        Some(item) => Some(clock.beginning(&item)?),
        None => None,
    };
    let [closes, hold, order, effective] =
        ["closes", "hold", "order", "effective"].map(|key| table.required(key));
    let closes = clock.deadline(&closes?)?;
    let pay_by = match table.get("pay_by") {
        Some(item) => Some(clock.deadline(&item)?),
        None => None,
    };
    let order = order?.word(&[("form", Ordering::ByForm), ("payment", Ordering::ByPayment)])?;
    let terms = EntryTerms {
        line: table.line,
        window: Window {
            from: opens,
            before: Some(closes),
        },
        article: table.article(),
        pay_by,
        hold_seconds: instants::duration(&hold?)?,
        order,
        when_full: when_full(&mut table, order)?,
        approval: word_or(
            &mut table,
            "approval",
            &[
                ("none", Approval::None),
                ("before payment", Approval::BeforePayment),
                ("after payment", Approval::AfterPayment),
            ],
            Approval::None,
        )?,
        effective: effective?.word(&[
            ("paid", Effective::Paid),
            ("slip given", Effective::SlipGiven),
            ("approved", Effective::Approved),
        ])?,
        identity: word_or(
            &mut table,
            "once_per",
            &[
                ("tournament", IdentityScope::Tournament),
                ("section", IdentityScope::Section),
            ],
            IdentityScope::Tournament,
        )?,
        rights: rights(&mut table)?,
        methods: methods(top)?,
    };
    table.done();
    Some(terms)
}

fn word_or<T: Copy>(
    table: &mut Table<'_, '_>,
    key: &str,
    words: &[(&str, T)],
    fallback: T,
) -> Option<T> {
    match table.get(key) {
        Some(item) => item.word(words),
        None => Some(fallback),
    }
}

/// `when_full = "wait"`: there is money that waits only where money gives the seat.
fn when_full(table: &mut Table<'_, '_>, order: Ordering) -> Option<WhenFull> {
    let Some(item) = table.get("when_full") else {
        return Some(WhenFull::GiveBack);
    };
    if order != Ordering::ByPayment {
        return item.refuse("only where seats go by the payments: order = \"payment\"");
    }
    item.word(&[("give back", WhenFull::GiveBack), ("wait", WhenFull::Wait)])
}

/// `organiser_may = ["refuse", "annul", "place"]`.
fn rights(table: &mut Table<'_, '_>) -> Option<OrganiserRights> {
    let mut rights = OrganiserRights::default();
    for item in table.members("organiser_may") {
        match item.string()? {
            "refuse" => rights.refuse = true,
            "annul" => rights.annul = true,
            "place" => rights.place = true,
            other => return item.refuse(&format!("`{other}` is none of: refuse, annul, place")),
        }
    }
    Some(rights)
}

fn methods(top: &mut Table<'_, '_>) -> Option<PaymentMethods> {
    let mut table = top.required("payment")?.table()?;
    let mut methods = PaymentMethods {
        slip_with_entry: table.flag("slip_with_entry"),
        line: table.line,
        ..PaymentMethods::default()
    };
    for item in table.required("methods")?.members() {
        match item.string()? {
            "card" => methods.card = true,
            "transfer" => methods.transfer = true,
            "slip" => methods.slip = true,
            other => {
                return item.refuse(&format!(
                    "`{other}` is none of: card, transfer, slip; name what is not taken yet under `off`"
                ));
            }
        }
    }
    for item in table.members("off") {
        methods.off.push(item.string()?.to_owned());
    }
    if let Some(item) = table.get("pay_to") {
        methods.pay_to = Some(item.text()?);
    }
    let line = table.line;
    let reader = table.reader;
    table.done();
    if methods.slip_with_entry && !methods.slip {
        reader.fault(
            line,
            "payment: a slip's number comes with the entry, but slip is not a method",
        );
        return None;
    }
    Some(methods)
}

/// The sections, and what stands in them that is read later.
pub(super) struct Groups<'a, 't> {
    pub sections: Vec<Section>,
    /// Position, condition of entry and article.
    pub admits: Vec<(usize, Item<'a, 't>, String)>,
    /// Positions of those that say `fees = "none"`.
    pub closed: Vec<usize>,
}

pub(super) fn sections<'a, 't>(top: &mut Table<'a, 't>, rounds: u32) -> Option<Groups<'a, 't>> {
    let mut groups = Groups {
        sections: Vec::new(),
        admits: Vec::new(),
        closed: Vec::new(),
    };
    let all = top.required("section")?;
    let named = all.table()?.all();
    if named.len() > limits::SECTIONS {
        return all.refuse(&format!("a file may have {} sections", limits::SECTIONS));
    }
    if named.is_empty() {
        return all.refuse("expected at least one section: [section.open]");
    }
    for (name, item) in named {
        let Ok(id) = name.parse::<SectionId>() else {
            return item.refuse("a section is named in letters, digits, - and _, at most 64");
        };
        let mut table = item.table()?;
        let section = Section {
            id,
            name: table.required("name")?.text()?,
            rounds: match table.get("rounds") {
                Some(item) => match item.count()? {
                    0 => return item.refuse("expected at least one round"),
                    own => own,
                },
                None => rounds,
            },
            kind: word_or(
                &mut table,
                "entrants",
                &[
                    ("players", EntrantKind::Player),
                    ("teams", EntrantKind::Team),
                ],
                EntrantKind::Player,
            )?,
            fixed_boards: word_or(
                &mut table,
                "boards",
                &[("fixed", true), ("free", false)],
                false,
            )?,
            has_fees: false,
            line: table.line,
        };
        let article = table.article();
        let place = groups.sections.len();
        if let Some(item) = table.get("admits") {
            groups.admits.push((place, item, article));
        }
        if let Some(item) = table.get("fees") {
            item.word(&[("none", ())])?;
            groups.closed.push(place);
        }
        table.done();
        groups.sections.push(section);
    }
    Some(groups)
}

pub(super) fn capacity(top: &mut Table<'_, '_>, sections: &Sections) -> Vec<CapacityRule> {
    top.tables("capacity")
        .into_iter()
        .filter_map(|mut table| {
            let seats = table.required("seats")?;
            let rule = CapacityRule {
                sections: table
                    .get("sections")
                    .map(|item| section_ids(&item, sections))
                    .unwrap_or_default(),
                seats: match seats.value() {
                    toml::de::DeValue::String(word) if word == "organiser" => None,
                    _ => Some(seats.count()?),
                },
                warn_at: match table.get("warn_at") {
                    Some(item) => Some(item.count()?),
                    None => None,
                },
                article: table.article(),
                line: table.line,
            };
            table.done();
            Some(rule)
        })
        .collect()
}
