//! What a mail is about: what the journal says of an order up to the command that made the mail. What came after it is told
//! by mails of its own, however late this one is sent.

use domain::{ByeRequest, EntryId, Event, Recorded, SectionId, Status};
use store::deliveries::Delivery;

use super::MailKind;
use super::choice::kind;

/// One entry as it stood then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stood {
    pub entry: EntryId,
    pub form_number: i64,
    pub section: Option<SectionId>,
    pub status: Status,
    /// Minor units of the order's currency.
    pub price: i64,
}

/// What the command did besides moving entries through their states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum News {
    /// Money came in as asked: minor units of the order's currency.
    Received(i64),
    /// The organiser placed it, or moved it from one section to another.
    Section {
        entry: EntryId,
        from: Option<SectionId>,
        to: SectionId,
        /// Minor units; `difference` is what it costs more, or less where negative.
        price: i64,
        difference: i64,
    },
    /// Its price is another one, and not because it was moved.
    Price {
        entry: EntryId,
        /// Minor units.
        from: i64,
        to: i64,
        /// What changed it.
        rule: String,
    },
    /// The arbiter decided about the byes that were asked for since the last word.
    Byes {
        entry: EntryId,
        byes: Vec<ByeRequest>,
        granted: bool,
    },
}

/// An order when the command had done its work.
pub(crate) struct Occasion {
    /// The rows that the command wrote about the order: same instant, same actor.
    pub rows: Vec<Recorded>,
    /// In form order.
    pub entries: Vec<Stood>,
    pub news: Vec<News>,
    /// An earlier row said the same already.
    pub told: bool,
    /// A later row is told by a mail of its own: what is to be done now stands there.
    pub passed: bool,
}

impl Occasion {
    /// Reads it from all rows of the order, in order; `None` where the delivery's row is not among them.
    pub(crate) fn of(journal: Vec<Recorded>, delivery: &Delivery) -> Option<Occasion> {
        let number = delivery.journal_number;
        let cause = journal.iter().find(|row| row.number == number)?;
        let of_command = |row: &&Recorded| row.at == cause.at && row.actor == cause.actor;
        let rows: Vec<Recorded> = journal.iter().filter(of_command).cloned().collect();
        let last = rows.iter().map(|row| row.number).max()?;
        let (then, since) = journal.split_at(journal.partition_point(|row| row.number <= last));
        Some(Occasion {
            entries: entries(then),
            news: news(then, &rows),
            told: repeats(&journal, cause),
            passed: since
                .iter()
                .any(|row| kind(row).is_some() && !repeats(&journal, row)),
            rows,
        })
    }
}

fn entries(rows: &[Recorded]) -> Vec<Stood> {
    let mut entries: Vec<Stood> = Vec::new();
    for row in rows {
        match &row.event {
            Event::OrderRegistered {
                entries: opened, ..
            } => {
                entries.extend(opened.iter().map(|entry| Stood {
                    entry: entry.entry,
                    form_number: entry.form_number,
                    section: entry.section.clone(),
                    status: entry.status,
                    price: entry.price,
                }));
            }
            Event::EntryMoved { entry, to, .. } => {
                on(&mut entries, *entry, |stood| stood.status = *to);
            }
            Event::SectionChanged {
                entry, to, price, ..
            } => on(&mut entries, *entry, |stood| {
                stood.section = Some(to.clone());
                stood.price = *price;
            }),
            Event::PriceChanged { entry, to, .. } => {
                on(&mut entries, *entry, |stood| stood.price = *to);
            }
            _ => {}
        }
    }
    entries
}

fn on(entries: &mut [Stood], entry: EntryId, change: impl FnOnce(&mut Stood)) {
    if let Some(stood) = entries.iter_mut().find(|stood| stood.entry == entry) {
        change(stood);
    }
}

fn news(then: &[Recorded], rows: &[Recorded]) -> Vec<News> {
    let one = |row: &Recorded| match &row.event {
        Event::PaymentSucceeded { amount, .. } => Some(News::Received(*amount)),
        Event::SectionChanged {
            entry,
            from,
            to,
            price,
            difference,
        } => Some(News::Section {
            entry: *entry,
            from: from.clone(),
            to: to.clone(),
            price: *price,
            difference: *difference,
        }),
        Event::PriceChanged {
            entry,
            from,
            to,
            rule,
        } if rule != "section" => Some(News::Price {
            entry: *entry,
            from: *from,
            to: *to,
            rule: rule.clone(),
        }),
        Event::ByesDecided { entry, granted } => Some(News::Byes {
            entry: *entry,
            byes: undecided(then, *entry, row.number),
            granted: *granted,
        }),
        _ => None,
    };
    rows.iter().filter_map(one).collect()
}

/// The byes of an entry that waited for the word of this row.
fn undecided(rows: &[Recorded], of: EntryId, before: i64) -> Vec<ByeRequest> {
    let mut waiting = Vec::new();
    for row in rows.iter().filter(|row| row.number < before) {
        match &row.event {
            Event::ByesRequested { entry, byes } if *entry == of => waiting.extend(byes),
            Event::ByesDecided { entry, .. } if *entry == of => waiting.clear(),
            _ => {}
        }
    }
    waiting
}

/// Whether an earlier row said already that the refund of this one is on its way.
fn repeats(rows: &[Recorded], row: &Recorded) -> bool {
    if kind(row) != Some(MailKind::RefundSent) {
        return false;
    }
    let refund = |row: &Recorded| match &row.event {
        Event::RefundSent { refund }
        | Event::RefundSucceeded { refund, .. }
        | Event::RefundObserved { refund, .. } => Some(*refund),
        _ => None,
    };
    let earlier = rows.iter().filter(|other| other.number < row.number);
    earlier
        .into_iter()
        .any(|other| refund(other) == refund(row) && refund(row).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::tests::row;
    use domain::{Actor, ByePoints, Cause, DeliveryId, EntryOpened, OrderId, RefundId};

    fn journal(events: Vec<Event>) -> Vec<Recorded> {
        let second = |number: i64| u32::try_from(number).unwrap();
        (1..)
            .zip(events)
            .map(|(number, event)| row(number, second(number), Actor::Timer, 1, event))
            .collect()
    }

    fn occasion(events: &[Event], number: i64) -> Occasion {
        let delivery = Delivery {
            id: DeliveryId(1),
            tournament: "t".parse().unwrap(),
            subscriber: "mail".into(),
            journal_number: number,
            lane: OrderId(1),
            kind: "held".into(),
            attempts: 0,
        };
        Occasion::of(journal(events.to_vec()), &delivery).unwrap()
    }

    fn opened() -> Event {
        let entry = EntryOpened {
            entry: EntryId(1),
            form_number: 4,
            section: None,
            price: 6_000,
            status: Status::Held,
        };
        Event::OrderRegistered {
            total: 6_000,
            entries: vec![entry],
            hold_until: None,
        }
    }

    fn moved(from: Status, cause: Cause) -> Event {
        let to = from.after(cause).unwrap();
        let entry = EntryId(1);
        Event::EntryMoved {
            entry,
            from,
            to,
            cause,
        }
    }

    #[test]
    fn what_came_later_is_not_told() {
        let placed = Event::SectionChanged {
            entry: EntryId(1),
            from: None,
            to: "B".parse().unwrap(),
            price: 7_000,
            difference: 1_000,
        };
        let events = [
            opened(),
            moved(Status::Held, Cause::AskApproval),
            placed,
            moved(Status::PendingApproval, Cause::Reject),
        ];
        let b = Some("B".parse().unwrap());
        for (number, status, price, section, passed) in [
            (1, Status::Held, 6_000, None, true),
            (2, Status::PendingApproval, 6_000, None, true),
            (3, Status::PendingApproval, 7_000, b.clone(), true),
            (4, Status::Rejected, 7_000, b, false),
        ] {
            let then = occasion(&events, number);
            let stood = &then.entries[0];
            assert_eq!(
                (stood.status, stood.price, &stood.section, then.passed),
                (status, price, &section, passed)
            );
            assert_eq!(
                (then.rows.len(), then.news.len()),
                (1, usize::from(number == 3))
            );
        }
    }

    #[test]
    fn what_no_mail_tells_passes_nothing() {
        let events = [
            opened(),
            Event::ByesRequested {
                entry: EntryId(1),
                byes: Vec::new(),
            },
        ];
        assert!(!occasion(&events, 1).passed);
    }

    #[test]
    fn a_refund_is_told_once_and_its_arrival_passes_nothing() {
        let refund = RefundId(1);
        let events = [
            moved(Status::Confirmed, Cause::CancelByPlayer),
            Event::RefundSent { refund },
            Event::RefundSucceeded { refund, amount: 1 },
        ];
        let told = |number| {
            (
                occasion(&events, number).told,
                occasion(&events, number).passed,
            )
        };
        assert_eq!(told(1), (false, true));
        assert_eq!(told(2), (false, false));
        assert_eq!(told(3), (true, false));
    }

    #[test]
    fn a_word_on_byes_is_about_those_that_waited_for_it() {
        let bye = |round| ByeRequest {
            round,
            points: ByePoints::Half,
        };
        let asked = |round| Event::ByesRequested {
            entry: EntryId(1),
            byes: vec![bye(round)],
        };
        let word = |granted| Event::ByesDecided {
            entry: EntryId(1),
            granted,
        };
        let events = [asked(2), word(true), asked(3), asked(4), word(false)];
        let News::Byes { byes, granted, .. } = &occasion(&events, 5).news[0] else {
            panic!("no word")
        };
        assert_eq!(
            (byes.as_slice(), *granted),
            ([bye(3), bye(4)].as_slice(), false)
        );
    }
}
