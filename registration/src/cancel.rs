//! An entry ends: by the player with what the clause gives back, by the organiser or a refusal with everything.

mod plan;

use domain::{
    Cause, Currency, EntryId, Event, OrderId, Problem, RefundQuote, Slug, TournamentId, UtcTime,
};
use rules::Regulation;
use serde::{Deserialize, Serialize};
use store::Island;
use store::change::Change;
use store::{Ask, Lane, claims, codes, lines};

use crate::desk::{By, Desk, Judged};
use crate::dossier::{Dossier, Terms};
use crate::groups;
use crate::left;
use crate::offer;
use crate::pass_on::pass_on;
use crate::place::no_right;
use crate::refund;
use crate::settle::go_on;
use crate::standing::around;
use plan::{Plan, plan};

pub(crate) use plan::refund_cause;

/// Which entries end, and who ends them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cancel {
    /// The entries; every live one of the order where none is named.
    pub entries: Vec<EntryId>,
    /// By whom: [`Cause::CancelByPlayer`], [`Cause::CancelByOrganiser`] or [`Cause::Reject`].
    pub cause: Cause,
    /// Whether the payer would rather have a credit than money, where the clause gives one.
    pub credit: bool,
}

/// What comes back for one entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EntryRefund {
    /// Which entry.
    pub entry: EntryId,
    /// What it cost and was paid; where the payer withdraws it, less what that makes the others cost more: minor units.
    pub paid: i64,
    /// What the clause says.
    pub quote: RefundQuote,
}

/// What a cancellation gives back, or gave.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cancellation {
    /// The order.
    pub order: OrderId,
    /// Currency of every amount.
    pub currency: Currency,
    /// The instant that the clauses were read at.
    pub at: UtcTime,
    /// Goes back in all.
    pub refund: i64,
    /// The organiser keeps in all: by the clauses, and what a promotion in another order costs without its partner.
    pub kept: i64,
    /// The card holder disputes so much of what was paid: nothing of it goes back or is kept before that is decided.
    #[serde(default)]
    pub disputed: i64,
    /// Entry by entry.
    pub entries: Vec<EntryRefund>,
}

impl Desk {
    /// What a cancellation would give back now. Changes nothing.
    ///
    /// # Errors
    /// [`Slug::UnknownOrder`], [`Slug::UnknownEntry`], [`Slug::IllegalMove`].
    pub async fn preview_cancellation(
        &self,
        by: &By,
        tournament: &TournamentId,
        order: OrderId,
        ask: Cancel,
    ) -> Result<Cancellation, Problem> {
        let terms = self.terms(tournament, order).await?;
        let stamp = self.stamp(tournament, by);
        let (id, desk) = (tournament.clone(), self.clone());
        self.store()
            .read(move |conn| {
                let found = store::tournaments::find(conn, &id)?;
                let tournament = found.ok_or_else(|| Problem::new(Slug::UnknownTournament))?;
                let mut island = Island::around(tournament);
                let mut change = island.change(conn, &stamp);
                let mut dossier = Dossier::load(&mut change, order)?;
                let leaving = leaving(&dossier, &ask)?;
                let terms = terms.now(&mut change, &desk)?;
                let around = around(&mut change, (&desk, &terms.frozen), &dossier)?;
                let whose = (leaving.as_slice(), around.as_slice());
                Ok(plan(&change, &terms, &mut dossier, whose, &ask).cancellation)
            })
            .await
    }

    /// Ends entries and reserves what comes back. Open payments are closed at the gateway first: one that turns out to be
    /// paid counts as paid.
    ///
    /// # Errors
    /// [`Slug::UnknownOrder`], [`Slug::UnknownEntry`], [`Slug::IllegalMove`], [`Slug::GatewayDown`] where the gateway
    /// does not say whether an open payment was paid.
    pub async fn cancel(
        &self,
        by: &By,
        tournament: &TournamentId,
        order: OrderId,
        ask: Cancel,
    ) -> Result<Cancellation, Problem> {
        let terms = self.terms(tournament, order).await?;
        let once = self.once(by, "cancel", tournament, &order.to_string(), &ask);
        let stamp = self.stamp(tournament, by);
        let asked = ask.clone();
        let judged = self.judge(tournament, &stamp, once.as_ref(), move |change| {
            leaving(&Dossier::load(change, order)?, &asked).map(drop)
        });
        if let Judged::New(()) = judged.await? {
            self.close_open_payments(order).await?;
        }
        let desk = self.clone();
        let ahead = Ask::of_order(tournament.clone(), order);
        let outcome = self.decide(Lane::Desk, ahead, stamp, once, move |change| {
            let mut dossier = Dossier::load(change, order)?;
            let leaving = leaving(&dossier, &ask)?;
            let terms = terms.now(change, &desk)?;
            may_refuse(&terms.present, &dossier, &leaving, ask.cause)?;
            let around = around(change, (&desk, &terms.frozen), &dossier)?;
            let Plan {
                cancellation,
                passed_on,
            } = plan(change, &terms, &mut dossier, (&leaving, &around), &ask);
            let stood = dossier.entries.clone();
            for entry in &leaving {
                let index = dossier.entries.iter().position(|e| e.id == *entry);
                dossier.move_entry(
                    change,
                    index.ok_or_else(|| Problem::new(Slug::UnknownEntry))?,
                    ask.cause,
                )?;
                codes::give_back(change.conn()?, *entry)?;
                claims::give_back(change.conn()?, *entry)?;
            }
            book(
                change,
                &desk,
                &mut dossier,
                &cancellation,
                (&stood, ask.cause),
            )?;
            groups::shrank(change, &terms.frozen, &mut dossier, leaving.len());
            finish(change, &desk, &terms.present, &mut dossier)?;
            let ended = dossier.entries.iter().filter(|e| leaving.contains(&e.id));
            let gone: Vec<_> = ended.map(|e| e.institution.clone()).collect();
            groups::moved(change, &terms.frozen, &[], &gone)?;
            pass_on(
                change,
                (&desk, &terms.present),
                (order, &around),
                &passed_on,
            )?;
            offer::offer_seats(change, &terms.present)?;
            Ok(cancellation)
        });
        outcome.await
    }

    /// The versions that an order has to do with.
    pub(crate) async fn terms(
        &self,
        tournament: &TournamentId,
        order: OrderId,
    ) -> Result<Terms, Problem> {
        let found = self
            .store()
            .read(move |c| Ok::<_, Problem>(store::orders::find(c, order)?))
            .await?;
        let order = found
            .filter(|o| o.tournament == *tournament)
            .ok_or_else(|| Problem::new(Slug::UnknownOrder))?;
        let frozen = self.version(tournament, order.version).await?;
        Ok(Terms {
            frozen,
            present: self.regulation(tournament)?,
        })
    }
}

fn leaving(dossier: &Dossier, ask: &Cancel) -> Result<Vec<EntryId>, Problem> {
    let live = |id: &EntryId| {
        dossier
            .entries
            .iter()
            .any(|e| e.id == *id && e.status.is_live())
    };
    let chosen: Vec<EntryId> = if ask.entries.is_empty() {
        dossier
            .entries
            .iter()
            .filter(|e| e.status.is_live())
            .map(|e| e.id)
            .collect()
    } else {
        ask.entries.clone()
    };
    if chosen
        .iter()
        .any(|id| dossier.entries.iter().all(|e| e.id != *id))
    {
        return Err(Problem::new(Slug::UnknownEntry));
    }
    if chosen.is_empty() || !chosen.iter().all(live) {
        return Err(Problem::new(Slug::IllegalMove));
    }
    Ok(chosen)
}

/// Who waits for approval may be refused; anybody else only where the regulation keeps the right to.
fn may_refuse(
    regulation: &rules::Regulation,
    dossier: &Dossier,
    leaving: &[EntryId],
    cause: Cause,
) -> Result<(), Problem> {
    let waits = |entry: &store::entries::Entry| !leaving.contains(&entry.id) || !entry.approved;
    let rights = regulation.organiser_rights();
    if cause != Cause::Reject || rights.refuse || rights.annul || dossier.entries.iter().all(waits)
    {
        return Ok(());
    }
    Err(no_right("entry"))
}

/// Reserves what comes back and books what is kept, one row for each method and rule.
fn book(
    change: &mut Change<'_>,
    desk: &Desk,
    dossier: &mut Dossier,
    cancellation: &Cancellation,
    (stood, cause): (&[store::entries::Entry], Cause),
) -> Result<(), Problem> {
    for ended in cancellation.entries.iter().filter(|ended| ended.paid > 0) {
        let Some(entry) = stood.iter().find(|e| e.id == ended.entry) else {
            continue;
        };
        let whose = (ended.entry, refund_cause(entry.status, cause));
        refund::reserve_all(change, desk, dossier, whose, ended.quote.clone())?;
    }
    Ok(())
}

/// Writes the prices of the entries that stay, which go on where they are paid; closes the order's books where none stays.
fn finish(
    change: &mut Change<'_>,
    desk: &Desk,
    regulation: &Regulation,
    dossier: &mut Dossier,
) -> Result<(), Problem> {
    let stored = Dossier::load(change, dossier.order.id)?.entries;
    for index in 0..dossier.entries.len() {
        let entry = &dossier.entries[index];
        let Some(was) = stored
            .iter()
            .find(|e| e.id == entry.id)
            .filter(|e| e.price != entry.price)
        else {
            continue;
        };
        let made_of = lines::of_entry(&dossier.order, &dossier.entries, index);
        dossier.entries[index].lines = Some(made_of);
        let entry = &dossier.entries[index];
        let event = Event::PriceChanged {
            entry: entry.id,
            from: was.price,
            to: entry.price,
            rule: "promotion".into(),
        };
        change.save_entry(entry, was.status)?;
        dossier.record(change, &event, &[])?;
    }
    if dossier.is_live() {
        go_on(change, regulation, dossier)?;
    } else {
        (dossier.order.hold_until, dossier.order.reprice_at) = (None, None);
        left::close_books(change, desk, dossier)?;
    }
    dossier.save(change)
}
