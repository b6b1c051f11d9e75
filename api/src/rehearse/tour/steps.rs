//! Steps that every story takes: price, enter, pay, be told, leave.

use std::fmt::Display;
use std::time::Duration;

use domain::{FactName, UtcTime};
use proto::pairing::v1::PushRequest;
use proto::pairing::v1::push_request::Change;
use proto::rules::v1::ByeStatus;
use tokio::time::{sleep, timeout};

use super::{Halt, PATIENCE, Story, Tour};
use crate::rehearse::door::{Asked, Payer, Seen, Ticket, Told};
use crate::rehearse::payer::{GOOD_CARD, Typed};

/// How often an order is looked at while something must come by itself.
const LOOK: Duration = Duration::from_millis(30);

impl Tour<'_> {
    /// A price at the desk clock's now, with declared facts.
    pub(super) async fn price(
        &mut self,
        what: &str,
        entries: &[Asked],
        expected: impl Display,
    ) -> Story {
        self.price_at(what, None, entries, expected).await
    }

    /// A price at an instant; the reasons where there is none.
    pub(super) async fn price_at(
        &mut self,
        what: &str,
        at: Option<UtcTime>,
        entries: &[Asked],
        expected: impl Display,
    ) -> Story {
        let door = self.door();
        let got = match door.quote(self.tournament, at, entries).await {
            Ok(quote) => quote
                .total
                .map_or_else(|| quote.reasons.join(", "), |total| total.to_string()),
            Err(refused) => refused.to_string(),
        };
        self.check(door.name(), what, expected, got)
    }

    /// Registers an order at one door and looks at it at the other: what it costs, and where it stands.
    pub(super) async fn enter(
        &mut self,
        what: &str,
        payer: Payer,
        entries: &[Asked],
        expected: &str,
    ) -> Story<Ticket> {
        self.enter_with(what, payer, entries, None, expected).await
    }

    /// The same with the number of a slip that is paid already.
    pub(super) async fn enter_with(
        &mut self,
        what: &str,
        payer: Payer,
        entries: &[Asked],
        slip: Option<Told>,
        expected: &str,
    ) -> Story<Ticket> {
        let door = self.door();
        let registered = door.register(self.tournament, payer, entries, slip).await;
        let (got, ticket) = match registered {
            Ok(ticket) => (self.look(&ticket).await?, Some(ticket)),
            Err(refused) => (refused.to_string(), None),
        };
        self.check(door.name(), what, expected, got)?;
        ticket.ok_or(Halt::Told)
    }

    /// What an order costs and where it stands, as the other door shows it: `60.00 EUR, held`.
    async fn look(&self, ticket: &Ticket) -> Story<String> {
        Ok(shown(&self.seen(ticket).await?))
    }

    /// An order as the door that was not used last shows it.
    pub(super) async fn seen(&self, ticket: &Ticket) -> Story<Seen> {
        let seen = self.other_door().order(ticket).await;
        seen.map_err(|refused| Halt::Broken(refused.to_string()))
    }

    /// The id of an order's only entry.
    pub(super) async fn entry_of(&self, ticket: &Ticket) -> Story<String> {
        let seen = self.seen(ticket).await?;
        let entry = seen.entries.first().map(|entry| entry.id.clone());
        entry.ok_or_else(|| Halt::Broken("the order has no entry".to_owned()))
    }

    /// Opens a payment and types a card into the gateway's page.
    pub(super) async fn type_card(
        &mut self,
        what: &str,
        ticket: &Ticket,
        card: &str,
        expected: Typed,
    ) -> Story {
        let door = self.door();
        let got = match door.pay(ticket).await {
            Ok(page) => self
                .browser
                .type_card(&page, card)
                .await
                .map(|typed| format!("{typed:?}")),
            Err(refused) => Err(refused.to_string()),
        };
        let got = got.unwrap_or_else(|why| why).to_lowercase();
        self.check(
            door.name(),
            what,
            format!("{expected:?}").to_lowercase(),
            got,
        )
    }

    /// Pays by card and waits until the gateway's webhook has moved the order.
    pub(super) async fn pay(&mut self, what: &str, ticket: &Ticket, expected: &str) -> Story {
        self.pay_with(what, ticket, GOOD_CARD, expected).await
    }

    pub(super) async fn pay_with(
        &mut self,
        what: &str,
        ticket: &Ticket,
        card: &str,
        expected: &str,
    ) -> Story {
        let door = self.door();
        let paid = match door.pay(ticket).await {
            Ok(page) => self.browser.type_card(&page, card).await,
            Err(refused) => Err(refused.to_string()),
        };
        match paid {
            Ok(Typed::Paid) => {
                self.becomes(door.name(), what, ticket, expected, shown)
                    .await
            }
            Ok(Typed::Declined) => self.check(door.name(), what, expected, "the card was declined"),
            Err(why) => self.check(door.name(), what, expected, why),
        }
    }

    /// Waits until an order is as expected, and says how it is where that does not come.
    pub(super) async fn becomes(
        &mut self,
        door: &'static str,
        what: &str,
        ticket: &Ticket,
        expected: &str,
        show: impl Fn(&Seen) -> String,
    ) -> Story {
        let mut got = String::new();
        let wait = async {
            loop {
                got = show(&self.seen(ticket).await?);
                if got == expected {
                    return Ok::<_, Halt>(());
                }
                sleep(LOOK).await;
            }
        };
        if let Ok(Err(halt)) = timeout(PATIENCE, wait).await {
            return Err(halt);
        }
        self.check(door, what, expected, got)
    }

    /// A mail of this kind lies in the folder, and the pairing service has every entry of the order as playing, or as not
    /// playing.
    pub(super) async fn told(
        &mut self,
        ticket: &Ticket,
        payer: Payer,
        kind: &str,
        plays: bool,
    ) -> Story {
        let entries = self.seen(ticket).await?.entries;
        let (mails, receiver) = (self.stage.mails.clone(), self.stage.receiver.clone());
        let right = |change: &Option<Change>| match change {
            Some(Change::Upserted(_)) => plays,
            Some(Change::Withdrawn(_)) => !plays,
            _ => false,
        };
        let wait = async {
            mails.reach(payer.email, kind).await;
            for entry in &entries {
                receiver
                    .hears(&entry.id, |message| right(&message.change))
                    .await;
            }
        };
        let expected = format!(
            "mail “{kind}”, {}",
            if plays { "plays" } else { "does not play" }
        );
        let got = match timeout(PATIENCE, wait).await {
            Ok(()) => expected.clone(),
            Err(_) => format!("{} mails “{kind}”", mails.count(payer.email, kind)),
        };
        self.check("", "   payer and pairing service are told", expected, got)
    }

    /// A mail of this kind lies in the folder.
    pub(super) async fn mailed(&mut self, payer: Payer, kind: &str) -> Story {
        let mails = self.stage.mails.clone();
        let there = timeout(PATIENCE, mails.reach(payer.email, kind))
            .await
            .is_ok();
        let got = if there {
            format!("mail “{kind}”")
        } else {
            "no such mail".to_owned()
        };
        self.check("", "   the payer is told", format!("mail “{kind}”"), got)
    }

    /// The pairing service hears which rounds an entry has off by the arbiter's word.
    pub(super) async fn byes_told(&mut self, entry: &str, rounds: &[u32]) -> Story {
        let granted = |message: &PushRequest| match &message.change {
            Some(Change::ByesRequested(told)) => {
                let granted = told
                    .byes
                    .iter()
                    .filter(|bye| bye.status() == ByeStatus::Granted);
                let off = granted.filter_map(|bye| Some(bye.request.as_ref()?.round));
                off.collect::<Vec<_>>() == rounds
            }
            _ => false,
        };
        let receiver = self.stage.receiver.clone();
        let heard = timeout(PATIENCE, receiver.hears(entry, granted))
            .await
            .is_ok();
        let expected = format!("rounds {rounds:?} off");
        let got = if heard {
            expected.clone()
        } else {
            "no such word".to_owned()
        };
        self.check("", "   the pairing service is told", expected, got)
    }

    /// Staff approve the order's entry.
    pub(super) async fn approve(&mut self, what: &str, ticket: &Ticket, expected: &str) -> Story {
        let entry = self.entry_of(ticket).await?;
        let door = self.door();
        let got = match door.approve(&entry).await {
            Ok(()) => self.look(ticket).await?,
            Err(refused) => refused.to_string(),
        };
        self.check(door.name(), what, expected, got)
    }

    /// Staff uphold every declared fact of the order's entry that had to be checked.
    pub(super) async fn uphold(&mut self, what: &str, ticket: &Ticket, expected: &str) -> Story {
        let entry = self.seen(ticket).await?.entries.into_iter().next();
        let entry = entry.ok_or_else(|| Halt::Broken("the order has no entry".to_owned()))?;
        let door = self.door();
        for name in &entry.to_check {
            let fact: FactName = serde_json::from_value(serde_json::json!(name))?;
            if let Err(refused) = door.uphold(&entry.id, fact).await {
                return self.check(door.name(), what, expected, refused);
            }
        }
        self.check(door.name(), what, expected, entry.to_check.join(", "))
    }

    /// The player leaves: first what would come back, then what does.
    pub(super) async fn leave(&mut self, what: &str, ticket: &Ticket, expected: &str) -> Story {
        let (one, two) = (self.door(), self.door());
        let words =
            |back: crate::rehearse::door::Back| format!("{} back, {} kept", back.refund, back.kept);
        let preview = one
            .preview(ticket)
            .await
            .map_or_else(|refused| refused.to_string(), words);
        self.check(
            one.name(),
            "What would come back if the player left",
            expected,
            preview,
        )?;
        let left = two
            .cancel(ticket)
            .await
            .map_or_else(|refused| refused.to_string(), words);
        self.check(two.name(), what, expected, left)
    }
}

/// `60.00 EUR, held`: what an order costs, and where its entries stand.
pub(super) fn shown(seen: &Seen) -> String {
    let mut states: Vec<&str> = seen
        .entries
        .iter()
        .map(|entry| entry.status.as_str())
        .collect();
    states.dedup();
    format!("{}, {}", seen.total, states.join(" and "))
}

/// `60.00 EUR due`: what is still to be paid.
pub(super) fn due(seen: &Seen) -> String {
    format!("{} due", seen.due)
}

/// `45.00 EUR card succeeded, 0.00 EUR kept`: what goes back and how, and what stays.
pub(super) fn refunds(seen: &Seen) -> String {
    let parts: Vec<String> = seen
        .refunds
        .iter()
        .map(|r| format!("{} {} {}", r.amount, r.method, r.status))
        .collect();
    format!("{}, {} kept", parts.join(" and "), seen.kept)
}
