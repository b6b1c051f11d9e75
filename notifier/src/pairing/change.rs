//! Which messages a command makes for the pairing service: at most one of a kind for each entry.

use domain::{EntryId, Event, Recorded, Status};

/// What the pairing service is to be told about one entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Change {
    /// Plays, or plays with other facts or in another section.
    Upserted,
    /// Does not play any more.
    Withdrawn,
    /// Asks for byes, or got an answer.
    Byes,
}

/// A message to be made at sending time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Message {
    /// What to tell.
    pub change: Change,
    /// Of which entry.
    pub entry: EntryId,
}

impl Message {
    /// As the delivery keeps it: `upserted:ent_…`.
    #[must_use]
    pub fn to_word(self) -> String {
        let change = match self.change {
            Change::Upserted => "upserted",
            Change::Withdrawn => "withdrawn",
            Change::Byes => "byes_requested",
        };
        format!("{change}:{}", self.entry)
    }

    /// Reads it back; `None` for any other word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Message> {
        let (change, entry) = word.split_once(':')?;
        let change = match change {
            "upserted" => Change::Upserted,
            "withdrawn" => Change::Withdrawn,
            "byes_requested" => Change::Byes,
            _ => return None,
        };
        Some(Message {
            change,
            entry: entry.parse().ok()?,
        })
    }
}

/// The messages of a command's rows about one order, each with the number of the last row that makes it.
#[must_use]
pub fn messages(rows: &[&Recorded]) -> Vec<(i64, Message)> {
    let mut messages: Vec<(i64, Message)> = Vec::new();
    for row in rows {
        for message in of_event(&row.event) {
            messages.retain(|(_, known)| *known != message);
            messages.push((row.number, message));
        }
    }
    messages
}

fn of_event(event: &Event) -> Vec<Message> {
    let one = |change, entry: &EntryId| {
        vec![Message {
            change,
            entry: *entry,
        }]
    };
    match event {
        Event::OrderRegistered { entries, .. } => entries
            .iter()
            .filter(|entry| entry.status == Status::Confirmed)
            .map(|entry| Message {
                change: Change::Upserted,
                entry: entry.entry,
            })
            .collect(),
        Event::EntryMoved {
            entry,
            to: Status::Confirmed,
            ..
        } => one(Change::Upserted, entry),
        Event::EntryMoved {
            entry,
            from: Status::Confirmed,
            ..
        } => one(Change::Withdrawn, entry),
        Event::SectionChanged { entry, .. } | Event::FactChecked { entry, .. } => {
            one(Change::Upserted, entry)
        }
        Event::ByesRequested { entry, .. } | Event::ByesDecided { entry, .. } => {
            one(Change::Byes, entry)
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::tests::row;
    use domain::{Actor, Cause, EntryOpened};

    fn told(events: Vec<Event>) -> Vec<(i64, Message)> {
        let rows: Vec<Recorded> = (1..)
            .zip(events)
            .map(|(number, event)| row(number, 0, Actor::Operator, 1, event))
            .collect();
        messages(&rows.iter().collect::<Vec<_>>())
    }

    fn moved(entry: i64, from: Status, cause: Cause) -> Event {
        let to = from.after(cause).unwrap();
        Event::EntryMoved {
            entry: EntryId(entry),
            from,
            to,
            cause,
        }
    }

    fn message(change: Change, entry: i64) -> Message {
        Message {
            change,
            entry: EntryId(entry),
        }
    }

    #[test]
    fn only_what_plays_or_played_is_told() {
        let opened = |entry, status| EntryOpened {
            entry: EntryId(entry),
            form_number: entry,
            section: None,
            price: 0,
            status,
        };
        let registered = Event::OrderRegistered {
            total: 0,
            entries: vec![
                opened(1, Status::Confirmed),
                opened(2, Status::PendingApproval),
            ],
            hold_until: None,
        };
        assert_eq!(told(vec![registered]), [(1, message(Change::Upserted, 1))]);
        assert_eq!(
            told(vec![
                moved(1, Status::Held, Cause::Confirm),
                moved(2, Status::Held, Cause::Confirm),
                moved(3, Status::Held, Cause::Expire),
                moved(4, Status::Confirmed, Cause::Reject),
                moved(5, Status::Confirmed, Cause::Withdraw),
                moved(6, Status::PendingApproval, Cause::Reject),
            ]),
            [
                (1, message(Change::Upserted, 1)),
                (2, message(Change::Upserted, 2)),
                (4, message(Change::Withdrawn, 4)),
                (5, message(Change::Withdrawn, 5)),
            ]
        );
    }

    #[test]
    fn a_message_is_told_once_with_its_last_number() {
        let placed = Event::SectionChanged {
            entry: EntryId(1),
            from: None,
            to: "A".parse().unwrap(),
            price: 0,
            difference: 0,
        };
        let approved = moved(1, Status::PendingApproval, Cause::Confirm);
        assert_eq!(
            told(vec![placed, approved]),
            [(2, message(Change::Upserted, 1))]
        );
    }

    #[test]
    fn words_read_back() {
        for change in [Change::Upserted, Change::Withdrawn, Change::Byes] {
            let message = message(change, 77);
            assert_eq!(Message::from_word(&message.to_word()), Some(message));
        }
        assert_eq!(Message::from_word("upserted:ord_0000000000001"), None);
    }
}
