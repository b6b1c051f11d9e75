//! Prices that change after the form. Those by the payment or by the arrival of its money: an unpaid order is priced anew when
//! an instant passes that its regulation names, and money that comes in counts at its own. Those by how many there are of a
//! club or in an order: all its orders are priced anew when somebody joins or leaves.

use std::sync::Arc;

use domain::{Actor, Instants, OrderId, Problem, Quote, Slug, Status, TournamentId};
use rules::Regulation;
use store::change::Change;
use store::{Ask, Lane, entries, orders};

use crate::around::Around;
use crate::claims;
use crate::desk::{By, Desk, Judged};
use crate::dossier::{Dossier, Terms};
use crate::price::{NewPrice, follow, none_open, set_price};

/// Orders looked at in one step.
const BATCH: i64 = 200;

/// What the entries of an order cost by other instants of payment, and beside those who stand now.
pub(crate) struct Repriced {
    /// None where its price goes by no payment, or one has settled it.
    paid: Option<Instants>,
    /// Only what is another price.
    prices: Vec<New>,
}

/// What one entry costs then.
struct New {
    /// Its place in the order.
    index: usize,
    quote: Quote,
}

impl Repriced {
    /// The prices of an order that is paid at this instant and whose money arrives at that one. Nothing changes for an order
    /// that was paid in full before.
    pub(crate) fn of(
        change: &mut Change<'_>,
        desk: &Desk,
        frozen: &Regulation,
        dossier: &Dossier,
        at: Instants,
    ) -> Result<Repriced, Problem> {
        let by_payment = frozen.has_prices_by_payment() && awaits_first_payment(dossier);
        let paid = by_payment.then_some(at);
        let mut prices = Vec::new();
        if paid.is_none() && !frozen.counts_others() {
            return Ok(Repriced { paid, prices });
        }
        let stands = if dossier.is_live() {
            Status::is_live
        } else {
            |status| status == Status::Expired
        };
        for (index, row) in dossier.entries.iter().enumerate() {
            // What costs nothing was paid with the form.
            let settled = row.price == 0 && !frozen.counts_others();
            // What does not change after the form keeps what a promotion made of it.
            let stays = !frozen.price_goes_on(row.section.as_ref());
            if settled || stays || !stands(row.status) {
                continue;
            }
            let Some(entrant) = entries::entrant(change.conn()?, row.id)? else {
                continue;
            };
            let mut around = Around::of(change, desk, frozen, (dossier, index), &entrant)?;
            around.at = paid.unwrap_or(around.at);
            let quote = around.price(frozen, row.section.clone(), &entrant);
            if quote.eligible && quote.total != row.price {
                prices.push(New { index, quote });
            }
        }
        Ok(Repriced { paid, prices })
    }

    /// What journal and mails name as the reason.
    fn rule(&self) -> &'static str {
        if self.paid.is_some() {
            "paid"
        } else {
            "members"
        }
    }

    /// The prices of an order for which money comes in: those that its instants change. Who joined or left since it was asked for
    /// changes what is asked next, not what was paid: for that the order is priced anew afterwards, and keeps its seat.
    pub(crate) fn by_payment(
        change: &mut Change<'_>,
        desk: &Desk,
        frozen: &Regulation,
        dossier: &Dossier,
        at: Instants,
    ) -> Result<Repriced, Problem> {
        if !frozen.has_prices_by_payment() {
            return Ok(Repriced {
                paid: None,
                prices: Vec::new(),
            });
        }
        let mut again = Repriced::of(change, desk, frozen, dossier, at)?;
        if frozen.counts_others() && again.changes() {
            let asked = dossier.order.instants();
            let by_others = Repriced::of(change, desk, frozen, dossier, asked)?.prices;
            let same = |one: &New, other: &New| {
                (one.index, one.quote.total) == (other.index, other.quote.total)
            };
            again
                .prices
                .retain(|new| !by_others.iter().any(|other| same(new, other)));
        }
        Ok(again)
    }

    /// Whether any price is another then.
    pub(crate) fn changes(&self) -> bool {
        !self.prices.is_empty()
    }

    /// What the order costs more then; negative where it costs less. Minor units.
    pub(crate) fn difference(&self, dossier: &Dossier) -> i64 {
        let changed = self.prices.iter();
        changed
            .map(|new| new.quote.total - dossier.entries[new.index].price)
            .sum()
    }

    /// Writes the prices down, and when they change next.
    pub(crate) fn apply(
        &self,
        change: &mut Change<'_>,
        frozen: &Regulation,
        dossier: &mut Dossier,
    ) -> Result<(), Problem> {
        for New { index, quote } in &self.prices {
            let (index, to, rule) = (*index, quote.total, self.rule());
            claims::keep(change, dossier.entries[index].id, quote)?;
            let lines = &quote.lines;
            let new = NewPrice {
                index,
                to,
                lines,
                rule,
            };
            set_price(change, dossier, &new)?;
        }
        let Some(at) = self.paid else {
            return Ok(());
        };
        dossier.order.paid_as_of = Some(at.paid);
        dossier.order.received_as_of = Some(at.received);
        // Who joined or left meanwhile is still to be looked at.
        let others = frozen.counts_others();
        let due = dossier.order.reprice_at;
        let due = due.filter(|due| others && *due <= change.stamp.at);
        dossier.order.reprice_at = due.or(frozen.next_price_by_payment(at.paid));
        Ok(())
    }
}

/// Whether an order owes something and no payment has settled yet what: none of its entries was paid for in full.
fn awaits_first_payment(dossier: &Dossier) -> bool {
    let any = |status| dossier.entries.iter().any(|entry| entry.status == status);
    let settled = any(Status::Confirmed) || any(Status::Withdrawn);
    dossier.due() > 0 && !settled && (dossier.credited() <= 0 || any(Status::Held))
}

/// What an order costs that is due to be priced anew and would be paid now; nothing where it is not due.
pub(crate) fn if_due(
    change: &mut Change<'_>,
    desk: &Desk,
    frozen: &Regulation,
    dossier: &Dossier,
) -> Result<Option<Repriced>, Problem> {
    let now = change.stamp.at;
    if dossier.order.reprice_at.is_none_or(|at| now < at) {
        return Ok(None);
    }
    let at = Instants::of(dossier.order.priced_at, Some(now), None);
    Repriced::of(change, desk, frozen, dossier, at).map(Some)
}

/// Prices an order anew that is due to be. Says whether it was.
///
/// # Errors
/// [`Slug::Raced`] where its prices change and a payment is open, which asks for the old sum.
pub(crate) fn bring_up_to_date(
    change: &mut Change<'_>,
    desk: &Desk,
    terms: &Terms,
    dossier: &mut Dossier,
) -> Result<bool, Problem> {
    let Some(again) = if_due(change, desk, &terms.frozen, dossier)? else {
        return Ok(false);
    };
    dossier.order.reprice_at = None;
    let difference = again.difference(dossier);
    if again.changes() {
        none_open(dossier)?;
    }
    again.apply(change, &terms.frozen, dossier)?;
    if again.changes() {
        let (present, rule) = (desk.present(change)?, again.rule());
        follow(change, desk, &present, dossier, difference, rule)?;
    }
    dossier.save(change)?;
    Ok(true)
}

impl Desk {
    /// Prices unpaid orders anew at the instants that their regulations name; how many.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn step_reprice(&self) -> Result<usize, Problem> {
        let mut repriced = 0;
        for regulation in self.tournaments() {
            let tournament = regulation.tournament().clone();
            let (id, at) = (tournament.clone(), self.clock().desk(&tournament));
            let due = self
                .store()
                .read(move |c| Ok::<_, Problem>(orders::to_reprice(c, &id, at, BATCH)?))
                .await?;
            for order in due {
                match self.reprice(&tournament, order).await {
                    Ok(done) => repriced += usize::from(done),
                    // What is on its way counts at its own instant, and what was opened meanwhile is closed the next time.
                    Err(problem)
                        if matches!(
                            problem.slug,
                            Slug::GatewayDown | Slug::IllegalMove | Slug::Raced
                        ) =>
                    {
                        tracing::info!(order.id = %order, problem = problem.slug.as_str(), "a price waits for its payment");
                    }
                    Err(problem) => return Err(problem),
                }
            }
        }
        Ok(repriced)
    }

    async fn reprice(&self, tournament: &TournamentId, order: OrderId) -> Result<bool, Problem> {
        let terms = self.terms(tournament, order).await?;
        let stamp = self.stamp(tournament, &By::actor(Actor::Timer));
        let (desk, frozen) = (self.clone(), Arc::clone(&terms.frozen));
        let judged = self.judge(tournament, &stamp, None, move |change| {
            let dossier = Dossier::load(change, order)?;
            Ok(if_due(change, &desk, &frozen, &dossier)?.is_some_and(|again| again.changes()))
        });
        if let Judged::New(true) = judged.await? {
            self.close_open_payments(order).await?;
        }
        let desk = self.clone();
        let ask = Ask::of_order(tournament.clone(), order);
        let outcome = self.decide(Lane::Settle, ask, stamp, None, move |change| {
            let mut dossier = Dossier::load(change, order)?;
            bring_up_to_date(change, &desk, &terms, &mut dossier)
        });
        outcome.await
    }
}
