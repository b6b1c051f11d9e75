//! Register an order: admitted, priced, numbered and seated in one decision under the tournament's lock.

use std::sync::Arc;

use domain::{
    Actor, Cause, Currency, EntryId, EntryOpened, EntryQuote, EntryRequest, Event, Grade, Language,
    Money, OrderId, OrderReference, Others, Problem, Quote, QuoteRequest, Slug, Status,
    TournamentId, UtcTime,
};
use rules::Regulation;
use serde::{Deserialize, Serialize};
use store::change::Change;
use store::entries::Entry;
use store::orders::{Contact, Order};
use store::{Ask, Lane};

use crate::desk::{By, Desk};
use crate::dossier::{hold_until, on_seat};
use crate::redeem::redeem;
use crate::seats::Seats;
use crate::slip::{self, Slip};
use crate::standing::{identity, standing_of};
use crate::{admit, claims, groups, offer};

/// Who orders and pays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Payer {
    /// Name; for a minor the guardian's.
    pub name: String,
    /// Address for mail.
    pub email: String,
    /// Postal address, where the organiser asks for it.
    pub address: Option<String>,
    /// The language of mails.
    pub language: Language,
    /// Consents given, by their id in the regulation.
    pub consents: Vec<String>,
}

/// One entry asked for, and the invitation code that comes with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NewEntry {
    /// Section and entrant.
    pub request: EntryRequest,
    /// A code that the organiser gave out.
    pub code: Option<String>,
}

/// An order to be registered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Register {
    /// For which tournament.
    pub tournament: TournamentId,
    /// Who pays.
    pub payer: Payer,
    /// Who enters, in the order of the form.
    pub entries: Vec<NewEntry>,
    /// The number of a slip that is paid already, where the regulation takes it with the entry.
    pub slip: Option<Slip>,
    /// The currency in which it is to be paid; none for the first of the regulation in which every entry has a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The total that the payer was shown: another is refused.
    pub expected: Option<Money>,
}

/// The outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Registered {
    /// The order.
    pub order: OrderId,
    /// What the payer reads aloud.
    pub reference: OrderReference,
    /// Where its entries stand.
    pub status: Status,
    /// Currency of every amount.
    pub currency: Currency,
    /// What it costs, minor units.
    pub total: i64,
    /// Until when the seats are kept unpaid.
    pub hold_until: Option<UtcTime>,
    /// The entries, with their form numbers.
    pub entries: Vec<EntryOpened>,
}

/// What is made before the write, so that the write can run again.
#[derive(Clone)]
struct Plan {
    command: Register,
    regulation: Arc<Regulation>,
    order: OrderId,
    entries: Vec<EntryId>,
    slip_payment: i64,
    reference: OrderReference,
    at: UtcTime,
    /// Keyed hash of each entry's code, if it brings one.
    codes: Vec<Option<String>>,
    desk: Desk,
}

impl Desk {
    /// Registers an order.
    ///
    /// # Errors
    /// [`Slug::Ineligible`] with every reason, [`Slug::AlreadyEntered`], [`Slug::CodeUsedUp`], [`Slug::AmountMismatch`],
    /// [`Slug::NotOpen`], [`Slug::InvalidFields`]. Nothing is written then.
    pub async fn register(&self, by: &By, command: Register) -> Result<Registered, Problem> {
        let regulation = self.regulation(&command.tournament)?;
        let stamp = self.stamp(&command.tournament, by);
        admit::payer(&regulation, &command, stamp.at)?;
        let once = self.once(by, "register", &command.tournament, "", &command);
        let tournament = command.tournament.clone();
        let given: Vec<Option<String>> = command.entries.iter().map(|e| e.code.clone()).collect();
        let plan = Plan {
            regulation,
            order: OrderId(self.number()),
            entries: command
                .entries
                .iter()
                .map(|_| EntryId(self.number()))
                .collect(),
            slip_payment: self.number(),
            reference: OrderReference::from_random(rand::random()),
            at: stamp.at,
            codes: self.hashes(&tournament, &given),
            desk: self.clone(),
            command: checked_by_staff(command, by),
        };
        let ask = Ask {
            identities: plan.identities().into_iter().flatten().collect(),
            ..Ask::of(tournament)
        };
        self.decide(Lane::Desk, ask, stamp, once, move |change| {
            plan.clone().carry_out(change)
        })
        .await
    }
}

/// What staff enter is the staff's word.
fn checked_by_staff(mut command: Register, by: &By) -> Register {
    if let Actor::Staff(who) = &by.actor {
        for entry in &mut command.entries {
            admit::check_all(
                &mut entry.request.entrant,
                &Grade::Checked { by: who.clone() },
            );
        }
    }
    command
}

impl Plan {
    fn carry_out(mut self, change: &mut Change<'_>) -> Result<Registered, Problem> {
        let present = self.desk.present(change)?;
        if present.reference().version != self.regulation.reference().version {
            admit::payer(&present, &self.command, self.at)?;
            self.regulation = present;
        }
        let entrants = self.command.entries.iter_mut();
        let entrants = entrants.map(|entry| &mut entry.request.entrant);
        redeem(change, &self.regulation, &self.codes, entrants)?;
        // Those who wait come before whoever comes now.
        offer::offer_seats(change, &self.regulation)?;
        let (capacity, counts) = (change.tournament.capacity, &change.tournament.counts);
        let seats = Seats::new(&self.regulation, capacity, counts);
        let request = QuoteRequest {
            at: self.at,
            paid_at: self.paid_at(),
            received_at: None,
            currency: self.command.currency,
            taken: claims::taken(change, &self.regulation)?,
            others: self.others(change)?,
            entries: self
                .command
                .entries
                .iter()
                .map(|e| e.request.clone())
                .collect(),
            standing: standing_of(
                change,
                &self.desk,
                &self.regulation,
                self.command.entries.iter().map(|e| &e.request.entrant),
            )?,
        };
        let quote = rules::quote(&self.regulation, &request);
        if !quote.eligible {
            let mut reasons = quote.reasons;
            // An order says no instant: the window is its tournament's.
            for reason in reasons.iter_mut().filter(|reason| reason.field == "at") {
                reason.field = "tournament".into();
            }
            return Err(Problem::ineligible(&reasons));
        }
        let mut seats = seats.map_err(|_| Problem::new(Slug::NotOpen))?;
        self.refuse_twice(change)?;
        admit::expected_total(&self.command, &quote)?;
        let sections: Vec<_> = request.entries.iter().map(|e| e.section.clone()).collect();
        let needs_approval = quote.entries.iter().any(asks_before_payment);
        let approved = self.regulation.approval() == rules::Approval::None && !needs_approval;
        let seated = on_seat(
            self.regulation.approval(),
            needs_approval,
            approved,
            quote.total,
        );
        // Where money waits for a seat, it is by paying that one gets in line.
        let to_pay = seated == Cause::Hold && offer::money_waits(&self.regulation, self.at);
        let cause = if to_pay || seats.take(&sections) {
            seated
        } else {
            Cause::Wait
        };
        self.write(change, &quote, &request, cause)
    }

    /// Who stands beside those who enter, where a price counts them.
    fn others(&self, change: &mut Change<'_>) -> Result<Others, Problem> {
        let entrants = self.command.entries.iter().map(|e| &e.request.entrant);
        groups::others(change, &self.desk, &self.regulation, entrants, None)
    }

    /// When a slip that comes with the form was paid, where a price goes by that.
    fn paid_at(&self) -> Option<UtcTime> {
        let slip = self.command.slip.as_ref()?;
        let goes_by_it = self.regulation.has_prices_by_payment();
        let day = slip.date.filter(|_| goes_by_it)?;
        Some(slip::day_began(&self.regulation, day)?.min(self.at))
    }

    fn identities(&self) -> Vec<Option<String>> {
        let make = |e: &NewEntry| {
            identity(
                &self.desk,
                &self.regulation,
                e.request.section.as_ref(),
                &e.request.entrant,
            )
        };
        self.command.entries.iter().map(make).collect()
    }

    fn refuse_twice(&self, change: &mut Change<'_>) -> Result<(), Problem> {
        let identities = self.identities();
        let known: Vec<String> = identities.iter().flatten().cloned().collect();
        let taken = change.live_identities(&known)?;
        match identities
            .iter()
            .position(|i| i.as_ref().is_some_and(|i| taken.contains(i)))
        {
            Some(index) => Err(admit::already_entered(index)),
            None => Ok(()),
        }
    }

    fn write(
        &self,
        change: &mut Change<'_>,
        quote: &Quote,
        request: &QuoteRequest,
        cause: Cause,
    ) -> Result<Registered, Problem> {
        let status = Status::New.after(cause).map_err(Problem::internal)?;
        let hold = (status == Status::Held).then(|| hold_until(&self.regulation, self.at));
        let order = Order {
            id: self.order,
            tournament: change.tournament.id.clone(),
            reference: self.reference.clone(),
            currency: quote.currency,
            total: quote.total,
            paid: 0,
            refunded: 0,
            kept: 0,
            version: quote.regulation.version,
            quote: without_facts(quote),
            standing: request.standing.iter().map(Into::into).collect(),
            priced_at: self.at,
            hold_until: hold,
            attempts: 0,
            token_generation: 1,
            created_at: self.at,
            paid_as_of: quote.paid_at,
            received_as_of: quote.received_at,
            reprice_at: (status != Status::Confirmed)
                .then(|| self.regulation.next_price_by_payment(self.at))
                .flatten(),
        };
        change.add_order(&order, contact(&self.command.payer))?;
        let opened = self.write_entries(change, quote, request, status)?;
        let registered = Event::OrderRegistered {
            total: quote.total,
            entries: opened.clone(),
            hold_until: hold,
        };
        change.record(Some(order.id), &registered, &[])?;
        if let Some(slip) = self.command.slip.as_ref().filter(|_| quote.total > 0) {
            slip::report(change, &order, slip, self.slip_payment)?;
        }
        let entrants = request.entries.iter();
        let came: Vec<Option<String>> = entrants
            .map(|asked| groups::key(&self.desk, &self.regulation, &asked.entrant))
            .collect();
        groups::moved(change, &self.regulation, &came, &[])?;
        Ok(Registered {
            order: order.id,
            reference: order.reference,
            status,
            currency: order.currency,
            total: order.total,
            hold_until: hold,
            entries: opened,
        })
    }

    fn write_entries(
        &self,
        change: &mut Change<'_>,
        quote: &Quote,
        request: &QuoteRequest,
        status: Status,
    ) -> Result<Vec<EntryOpened>, Problem> {
        let identities = self.identities();
        // What costs nothing was paid with the form.
        let in_line = quote.total == 0 && offer::money_waits(&self.regulation, self.at);
        let mut opened = Vec::new();
        for (index, asked) in request.entries.iter().enumerate() {
            let priced = quote
                .entries
                .get(index)
                .ok_or_else(|| Problem::internal("a quote without its entry"))?;
            let entry = Entry {
                id: self.entries[index],
                tournament: change.tournament.id.clone(),
                order: self.order,
                form_number: change.next_form(),
                section: asked.section.clone(),
                status,
                price: priced.total,
                to_check: priced.to_check.clone(),
                approved: self.regulation.approval() == rules::Approval::None
                    && !asks_before_payment(priced),
                needs_approval: asks_before_payment(priced),
                identity: identities[index].clone(),
                institution: groups::key(&self.desk, &self.regulation, &asked.entrant),
                lines: None,
                waiting_since: (status == Status::Waitlisted && in_line).then_some(self.at),
            };
            change.add_entry(&entry, &asked.entrant)?;
            for claim in quote.claims.iter().filter(|claim| claim.entry == index) {
                change.claim(&claim.rule, entry.id);
            }
            if let Some(hash) = &self.codes[index] {
                change.use_code(hash, entry.id);
            }
            opened.push(EntryOpened {
                entry: entry.id,
                form_number: entry.form_number,
                section: entry.section,
                price: entry.price,
                status,
            });
        }
        Ok(opened)
    }
}

/// Somebody has to look at this entry before it is paid for, whatever the regulation says of approval in general: it has
/// no section, or only declared facts bring it to zero.
fn asks_before_payment(priced: &EntryQuote) -> bool {
    priced.section.is_none() || priced.total == 0 && !priced.to_check.is_empty()
}

/// The quote as it is kept with the order: the values of the facts stand with the entrants only.
fn without_facts(quote: &Quote) -> Quote {
    Quote {
        facts: Vec::new(),
        ..quote.clone()
    }
}

fn contact(payer: &Payer) -> Contact {
    Contact {
        name: Some(payer.name.clone()),
        email: Some(payer.email.clone()),
        address: payer.address.clone(),
        language: payer.language,
        consents: payer.consents.clone(),
    }
}
