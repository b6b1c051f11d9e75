//! Whom a new version would touch among those who are in already: a fold over the orders, one after the other. Pure.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{
    Currency, Entrant, EntryId, EntryRequest, Money, QuoteRequest, RefundAsk, RefundCause,
    SectionId, Standing, Status, UtcTime,
};
use rules::Regulation;
use serde::Serialize;
use store::entries::Entry;
use store::lines;
use store::orders::Order;

use crate::dossier::Terms;
use crate::may_change::stands;
use crate::seats::Seats;

/// How many are named of each kind.
const EXAMPLES: usize = 5;

/// Somebody whom it touches, by form number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Example {
    /// Which entry.
    pub entry: EntryId,
    /// Its form number.
    pub form_number: i64,
    /// Its section.
    pub section: Option<SectionId>,
    /// As it is.
    pub before: Money,
    /// As it would be.
    pub after: Money,
}

/// Entries for which something is different in one direction.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Shift {
    /// How many.
    pub entries: i64,
    /// What the differences come to in each currency; never negative.
    pub sums: Vec<Money>,
    /// The first of them.
    pub examples: Vec<Example>,
}

impl Shift {
    /// What the differences come to in a currency.
    #[must_use]
    pub fn sum(&self, currency: Currency) -> Money {
        let of = self.sums.iter().find(|sum| sum.currency == currency);
        of.copied().unwrap_or(Money::new(0, currency))
    }

    fn add(&mut self, entry: &Entry, currency: Currency, before: i64, after: i64) {
        self.entries += 1;
        let known = self.sums.iter().position(|sum| sum.currency == currency);
        let place = known.unwrap_or_else(|| {
            self.sums.push(Money::new(0, currency));
            self.sums.len() - 1
        });
        self.sums[place].amount += (after - before).abs();
        if self.examples.len() < EXAMPLES {
            self.examples.push(Example {
                entry: entry.id,
                form_number: entry.form_number,
                section: entry.section.clone(),
                before: Money::new(before, currency),
                after: Money::new(after, currency),
            });
        }
    }
}

/// What a new version means to the orders that stand. They keep their price, whatever it says of prices here.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Touched {
    /// Orders with an entry that stands.
    pub orders: i64,
    /// Entries that stand: waiting, held, to be approved, confirmed, withdrawn.
    pub entries: i64,
    /// How many of them were priced under each version.
    pub versions: BTreeMap<i32, i64>,
    /// Who would pay more, had the new text counted at the instant of the form.
    pub dearer: Shift,
    /// Who would pay less.
    pub cheaper: Shift,
    /// Whose order would not have been taken; `after` is 0.
    pub refused: Shift,
    /// Entries that cannot be asked about, since the person was erased.
    pub erased: i64,
    /// Who would get more back, leaving now, than under the published version.
    pub refund_more: Shift,
    /// Who would get less back: a version between theirs and the new one was better than both.
    pub refund_less: Shift,
    /// Who leaves by the clause of the own version, since the new one is worse.
    pub refund_own: Shift,
    /// Entries that wait for a seat.
    pub waiting: i64,
    /// Those of them that would be offered one at once.
    pub offered: i64,
    /// Held orders whose seat is kept, and may be paid, beyond the new text's last instant for payments.
    pub held_past_pay_by: i64,
    /// Held orders that could be paid by card, and could not any more.
    pub held_without_card: i64,
}

/// An order with what it takes to ask about it anew.
pub(crate) struct Asked<'a> {
    pub order: &'a Order,
    /// In form order.
    pub entries: &'a [Entry],
    /// Of its own entries and of those that it was priced beside.
    pub entrants: &'a BTreeMap<EntryId, Entrant>,
    /// The version that it was priced under.
    pub frozen: &'a Arc<Regulation>,
}

/// The fold.
pub(crate) struct Look {
    pub touched: Touched,
    pub present: Arc<Regulation>,
    pub next: Arc<Regulation>,
    /// The instant at which somebody would leave.
    pub at: UtcTime,
    /// The seats of the new text, less those that were offered; none where the organiser has yet to set the figure.
    pub seats: Option<Seats>,
}

impl Look {
    pub fn take(&mut self, asked: &Asked<'_>) {
        let standing: Vec<&Entry> = asked.entries.iter().filter(|e| stands(e.status)).collect();
        let Ok(entries) = i64::try_from(standing.len()) else {
            return;
        };
        if entries == 0 {
            return;
        }
        self.touched.orders += 1;
        self.touched.entries += entries;
        *self
            .touched
            .versions
            .entry(asked.order.version)
            .or_default() += entries;
        self.prices(asked, &standing);
        self.refunds(asked);
        self.waits(&standing);
        self.held(asked, &standing);
    }

    fn prices(&mut self, asked: &Asked<'_>, standing: &[&Entry]) {
        let currency = asked.order.currency;
        let Some(mut request) = request(asked, standing) else {
            self.touched.erased += i64::try_from(standing.len()).unwrap_or(0);
            return;
        };
        // Of limited rows it finds those that it has, and no other.
        let claims: Vec<String> = asked
            .order
            .quote
            .claims
            .iter()
            .map(|claim| claim.rule.clone())
            .collect();
        request.taken = self.next.taken_but(&claims);
        let after = rules::quote(&self.next, &request);
        if !after.eligible {
            for entry in standing {
                self.touched.refused.add(entry, currency, entry.price, 0);
            }
            return;
        }
        let terms = Terms {
            frozen: Arc::clone(asked.frozen),
            present: Arc::clone(&self.present),
        };
        let sections = || standing.iter().filter_map(|entry| entry.section.as_ref());
        let priced = terms.pricing(sections());
        request.taken = priced.taken_but(&claims);
        let own = rules::quote(priced, &request);
        for ((entry, own), then) in standing.iter().zip(&own.entries).zip(&after.entries) {
            let difference = then.total - own.total;
            let price = entry.price + difference;
            match difference {
                1.. => self.touched.dearer.add(entry, currency, entry.price, price),
                ..0 => self
                    .touched
                    .cheaper
                    .add(entry, currency, entry.price, price),
                0 => {}
            }
        }
    }

    /// What is left of the order's money is its entries' one after the other.
    fn refunds(&mut self, asked: &Asked<'_>) {
        let order = asked.order;
        let mut left = order.paid - order.refunded - order.kept;
        for (index, entry) in asked.entries.iter().enumerate() {
            if !entry.status.is_live() {
                continue;
            }
            let paid = entry.price.min(left).max(0);
            left -= paid;
            if paid == 0 {
                continue;
            }
            let ask = RefundAsk {
                paid,
                currency: order.currency,
                requested_at: self.at,
                cause: RefundCause::Player,
                approved: entry.approved,
                section: entry.section.clone(),
                rows: lines::by_row(order, asked.entries, index),
                credit: false,
                proof: None,
            };
            let before = rules::better_refund(asked.frozen, &self.present, &ask).refund;
            let own = rules::refund(asked.frozen, &ask).refund;
            // A clause without the currency of an order says nothing of it.
            let new = if self.next.currencies().contains(&order.currency) {
                rules::refund(&self.next, &ask).refund
            } else {
                own
            };
            let after = own.max(new);
            if after > before {
                self.touched
                    .refund_more
                    .add(entry, order.currency, before, after);
            } else if after < before {
                self.touched
                    .refund_less
                    .add(entry, order.currency, before, after);
            }
            if new < own {
                self.touched.refund_own.add(entry, order.currency, new, own);
            }
        }
    }

    /// Orders come in the order of their forms, as seats are offered.
    fn waits(&mut self, standing: &[&Entry]) {
        let waiting = standing.iter().filter(|e| e.status == Status::Waitlisted);
        let sections: Vec<_> = waiting.map(|e| e.section.clone()).collect();
        let Ok(many) = i64::try_from(sections.len()) else {
            return;
        };
        self.touched.waiting += many;
        let open = crate::offer::still_offers(&self.next, self.at);
        if many > 0
            && open
            && self
                .seats
                .as_mut()
                .is_some_and(|seats| seats.take(&sections))
        {
            self.touched.offered += many;
        }
    }

    fn held(&mut self, asked: &Asked<'_>, standing: &[&Entry]) {
        if standing.iter().all(|entry| entry.status != Status::Held) {
            return;
        }
        let until = asked.order.hold_until;
        let beyond = until.zip(self.next.pay_by());
        if beyond.is_some_and(|(until, pay_by)| pay_by < until) {
            self.touched.held_past_pay_by += 1;
        }
        let card = |regulation: &Regulation| regulation.payment_methods().card;
        if card(&self.present) && !card(&self.next) {
            self.touched.held_without_card += 1;
        }
    }
}

/// The question that the order was, of what stands of it now; none where a person was erased.
fn request(asked: &Asked<'_>, standing: &[&Entry]) -> Option<QuoteRequest> {
    let entry = |entry: &&Entry| {
        Some(EntryRequest {
            section: entry.section.clone(),
            entrant: asked.entrants.get(&entry.id)?.clone(),
        })
    };
    let beside = asked.order.standing.iter().map(|known| {
        Some(Standing {
            entry: known.entry,
            section: known.section.clone(),
            entrant: asked.entrants.get(&known.entry)?.clone(),
            price: known.price,
            currency: known.currency,
            promotions: known.promotions.clone(),
        })
    });
    let at = asked.order.instants();
    Some(QuoteRequest {
        at: at.registered,
        paid_at: Some(at.paid),
        received_at: Some(at.received),
        currency: Some(asked.order.currency),
        entries: standing.iter().map(entry).collect::<Option<_>>()?,
        standing: beside.collect::<Option<_>>()?,
        taken: asked.order.quote.taken.clone(),
        others: asked.order.quote.others.clone(),
    })
}
