//! What a client asks for: as a payer, and as the back office.

use rand::Rng;
use serde_json::Value;

use crate::TOURNAMENTS;
use crate::client::Client;
use crate::command::{Act, Answer, Deed, Done, Means, Person, Ticket};

/// So many orders a client keeps: more than there are seats for all clients, and not so many that nobody moves up.
const HANDFUL: usize = 14;

impl Client {
    /// Something, drawn by lot.
    pub(super) async fn deed(&mut self) {
        match self.random.random_range(0..100) {
            0..24 if self.tickets.len() < HANDFUL => self.register().await,
            0..4 => self.make_room().await,
            4..50 => self.pay().await,
            50..58 => self.slip().await,
            58..63 => self.cancel().await,
            63..69 => self.byes().await,
            _ => self.staff().await,
        }
    }

    async fn register(&mut self) {
        let invited = match self.random.random_range(0..5) {
            0 => self.street.commons.code(&mut self.random),
            _ => None,
        };
        let tournament = match &invited {
            Some((tournament, _)) => *tournament,
            None => TOURNAMENTS[self.random.random_range(0..TOURNAMENTS.len())].0,
        };
        let number = if self.random.random_range(0..5) == 0 {
            2
        } else {
            1
        };
        let mut people = Vec::new();
        for _ in 0..number {
            people.push(Person {
                number: self.own_number(),
                section: if self.random.random() { "A" } else { "B" },
                code: invited.as_ref().map(|(_, code)| code.clone()),
            });
        }
        let act = Act::Register { tournament, people };
        match self.do_it(act).await {
            Some(Answer::Done(done, _)) => self.keep(done),
            Some(Answer::Refused(slug)) if slug == "code-used-up" && invited.is_some() => {}
            Some(Answer::Refused(slug)) => {
                let what = format!("somebody new may not enter: {slug}");
                self.diary.wrong.push(what);
            }
            _ => {}
        }
    }

    /// The oldest order ends. One that may not be cancelled now is tried again, or forgotten.
    async fn make_room(&mut self) {
        let oldest = self.tickets.remove(0);
        let answer = self.do_it(Act::Cancel(oldest.clone())).await;
        if matches!(answer, Some(Answer::Refused(_))) && self.random.random() {
            self.tickets.push(oldest);
        }
    }

    fn keep(&mut self, done: Done) {
        let Done::Registered {
            order,
            token,
            entries,
        } = done
        else {
            return;
        };
        let ticket = Ticket {
            order,
            token,
            entries: entries.into_iter().map(|(entry, _)| entry).collect(),
        };
        self.street.commons.show(ticket.clone());
        self.tickets.push(ticket);
    }

    async fn pay(&mut self) {
        // Now and then somebody pays on a page that was opened long ago.
        let old = !self.pages.is_empty() && self.random.random_range(0..6) == 0;
        let page = if old {
            let place = self.random.random_range(0..self.pages.len());
            self.pages.swap_remove(place)
        } else {
            let Some(ticket) = self.ticket() else { return };
            let means = if self.random.random_range(0..3) == 0 {
                Means::Form
            } else {
                Means::Page
            };
            match self.do_it(Act::Pay(ticket, means)).await {
                Some(Answer::Done(_, Some(page))) => page,
                _ => return,
            }
        };
        if self.random.random_range(0..10) == 0 {
            self.pages.push(page);
            return;
        }
        let shop = self.street.shop.clone();
        shop.pay(&page, &mut self.random).await;
    }

    /// Slips bear numbers of their own as a rule; now and then two people tell the same one.
    async fn slip(&mut self) {
        let Some((ticket, seen)) = self.look().await else {
            return;
        };
        let due = cents(&seen["due"]);
        let number = if self.random.random_range(0..4) == 0 {
            format!("shared {}", self.random.random_range(0..40))
        } else {
            format!("slip {}", self.own_number())
        };
        if due > 0 {
            self.do_it(Act::Slip(ticket, number, due)).await;
        }
    }

    async fn cancel(&mut self) {
        if let Some(ticket) = self.ticket() {
            self.do_it(Act::Cancel(ticket)).await;
        }
    }

    async fn byes(&mut self) {
        let Some(ticket) = self.ticket() else { return };
        let entry = ticket.entries[0].clone();
        let round = self.random.random_range(1..=6);
        let mut rounds = vec![round];
        if self.random.random() {
            rounds.push(round % 6 + 1);
        }
        self.do_it(Act::Byes(ticket, entry, rounds)).await;
    }

    /// The back office, and the card holders.
    async fn staff(&mut self) {
        match self.random.random_range(0..30) {
            0 => {
                let tournament = TOURNAMENTS[self.random.random_range(0..TOURNAMENTS.len())].0;
                let uses = self.random.random_range(1..=4);
                let act = Act::Staff(Deed::Issue(tournament, uses));
                if let Some(Answer::Done(Done::Issued(code), _)) = self.do_it(act).await {
                    self.street.commons.give(tournament, code);
                }
            }
            1 => {
                let shop = self.street.shop.clone();
                if let Err(error) = shop.quarrel(&mut self.random) {
                    self.diary.wrong.push(error.to_string());
                }
            }
            _ => {
                let Some((ticket, seen)) = self.look().await else {
                    return;
                };
                let mut deeds = self.due(&ticket, &seen);
                if deeds.is_empty() || self.random.random_range(0..5) == 0 {
                    deeds = self.uncalled(&ticket);
                }
                let deed = deeds.swap_remove(self.random.random_range(0..deeds.len()));
                self.do_it(Act::Staff(deed)).await;
            }
        }
    }

    /// What there is to do for an order as it was seen.
    fn due(&mut self, ticket: &Ticket, seen: &Value) -> Vec<Deed> {
        let list = |name: &str| seen[name].as_array().cloned().unwrap_or_default();
        let id = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut deeds = Vec::new();
        for payment in list("payments") {
            if payment["method"] == "slip" && payment["status"] == "processing" {
                let slip = id(&payment["payment"]);
                deeds.push(if self.random.random_range(0..4) == 0 {
                    Deed::Refuse(slip)
                } else {
                    Deed::Confirm(slip, cents(&payment["amount"]))
                });
            }
        }
        for refund in list("refunds") {
            if refund["status"] == "owed" || refund["status"] == "failed" {
                let reference = format!("transfer {}", self.own_number());
                deeds.push(Deed::Transferred(id(&refund["refund"]), reference));
            }
        }
        for entry in list("entries") {
            let name = id(&entry["entry"]);
            if entry["status"] == "pending_approval" {
                deeds.push(Deed::Approve(name.clone()));
            }
            let asked = |byes: &Vec<Value>| byes.iter().any(|bye| bye["status"] == "asked");
            if entry["byes"].as_array().is_some_and(asked) {
                deeds.push(Deed::Byes(name, self.random.random_range(0..3) > 0));
            }
        }
        if cents(&seen["paid"]) > cents(&seen["refunded"]) {
            let back = self.random.random_range(1..=12) * 100;
            deeds.push(Deed::Refund(ticket.order.clone(), back));
        }
        deeds
    }

    /// What nobody waits for, and may be refused.
    fn uncalled(&mut self, ticket: &Ticket) -> Vec<Deed> {
        let entry = ticket.entries[self.random.random_range(0..ticket.entries.len())].clone();
        let to = if self.random.random() { "A" } else { "B" };
        vec![
            Deed::Move(entry.clone(), to),
            Deed::Move(entry.clone(), to),
            Deed::Reject(entry.clone()),
            Deed::Approve(entry.clone()),
            Deed::Byes(entry, self.random.random()),
            Deed::Refund(ticket.order.clone(), 100),
        ]
    }

    async fn look(&mut self) -> Option<(Ticket, Value)> {
        let ticket = self.ticket()?;
        let doors = std::sync::Arc::clone(&self.street.doors);
        let seen = doors.see(&ticket, &mut self.random).await?;
        Some((ticket, seen))
    }
}

fn cents(money: &Value) -> i64 {
    money["amount"].as_i64().unwrap_or_default()
}
