//! What a client asks for: as a payer, and as the back office.

use rand::Rng;
use serde_json::Value;

use crate::TOURNAMENTS;
use crate::client::Client;
use crate::command::{Act, Answer, Deed, Done, Means, Person, Ticket};

impl Client {
    /// Something, drawn by lot.
    pub(super) async fn deed(&mut self) {
        match self.random.random_range(0..100) {
            0..34 => self.register().await,
            34..62 => self.pay().await,
            62..68 => self.slip().await,
            68..74 => self.cancel().await,
            74..78 => self.byes().await,
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

    /// The back office looks at an order and does what there is to do, or something else.
    async fn staff(&mut self) {
        let pick = self.random.random_range(0..100);
        if pick < 6 {
            let tournament = TOURNAMENTS[self.random.random_range(0..TOURNAMENTS.len())].0;
            let act = Act::Staff(Deed::Issue(tournament, self.random.random_range(1..=4)));
            if let Some(Answer::Done(Done::Issued(code), _)) = self.do_it(act).await {
                self.street.commons.give(tournament, code);
            }
            return;
        }
        if pick < 14 {
            let shop = self.street.shop.clone();
            if let Err(error) = shop.quarrel(&mut self.random) {
                self.diary.wrong.push(error.to_string());
            }
            return;
        }
        let Some((ticket, seen)) = self.look().await else {
            return;
        };
        let entry = ticket.entries[self.random.random_range(0..ticket.entries.len())].clone();
        let deed = match pick {
            14..30 => {
                let cents = self.random.random_range(1..=12) * 100;
                Some(Deed::Refund(ticket.order, cents))
            }
            30..50 => self.on_slip(&seen),
            50..70 => Some(Deed::Approve(entry)),
            70..76 => Some(Deed::Reject(entry)),
            76..86 => {
                let to = if self.random.random() { "A" } else { "B" };
                Some(Deed::Move(entry, to))
            }
            86..93 => Some(Deed::Byes(entry, self.random.random_range(0..3) > 0)),
            _ => self.on_refund(&seen),
        };
        if let Some(deed) = deed {
            self.do_it(Act::Staff(deed)).await;
        }
    }

    fn on_slip(&mut self, seen: &Value) -> Option<Deed> {
        let payments = seen["payments"].as_array()?;
        let slip = payments
            .iter()
            .find(|payment| payment["method"] == "slip" && payment["status"] == "processing")?;
        let id = slip["payment"].as_str()?.to_owned();
        Some(if self.random.random_range(0..4) == 0 {
            Deed::Refuse(id)
        } else {
            Deed::Confirm(id, cents(&slip["amount"]))
        })
    }

    /// What no card can take any more is transferred.
    fn on_refund(&mut self, seen: &Value) -> Option<Deed> {
        let refunds = seen["refunds"].as_array()?;
        let open = |refund: &&Value| refund["status"] == "owed" || refund["status"] == "failed";
        let id = refunds.iter().find(open)?["refund"].as_str()?.to_owned();
        Some(Deed::Transferred(
            id,
            format!("transfer {}", self.own_number()),
        ))
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
