//! Deposits that come back to those who have finished.

use domain::{
    Currency, EntryId, Line, LineKind, OrderId, Problem, RefundAsk, RefundCause, Slug, Status,
    TournamentId,
};
use rules::Regulation;
use serde::{Deserialize, Serialize};
use store::change::Change;
use store::{Lane, entries, lines, orders};

use super::reserve_all;
use crate::approve::of_entry;
use crate::desk::{By, Desk};
use crate::dossier::Terms;
use crate::price::{NewPrice, set_price};

/// The rule of the line that takes a deposit off again, and of its refund.
const FINISHED: &str = "finished";
/// Orders read at a time.
const PAGE: i64 = 100;

/// A deposit that comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DepositBack {
    /// Whose.
    pub entry: EntryId,
    /// What has come back of it in all, minor units; nothing where none was asked for.
    pub amount: i64,
    /// Of its order.
    pub currency: Currency,
}

/// What came of giving the deposits of a tournament back.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DepositsBack {
    /// Those that have come back, now or before.
    pub back: Vec<DepositBack>,
    /// Entries that have finished, whose deposit does not come back so: something of their order is to be paid, is disputed, or went
    /// back already by staff's word.
    pub left: Vec<EntryId>,
}

impl Desk {
    /// Staff say that an entry has finished: the deposits that were paid for it come back. What has come back already stays so.
    ///
    /// # Errors
    /// [`Slug::UnknownEntry`], [`Slug::IllegalMove`] before play has begun, or where the entry is not confirmed, or something of its order
    /// is to be paid or is disputed; [`Slug::NothingLeft`] where staff gave it back already.
    pub async fn give_deposit_back(
        &self,
        by: &By,
        tournament: &TournamentId,
        entry: EntryId,
    ) -> Result<DepositBack, Problem> {
        let (_, terms) = self.terms_of_entry(tournament, entry).await?;
        let stamp = self.stamp(tournament, by);
        let desk = self.clone();
        let outcome = self.change(Lane::Desk, tournament, stamp, None, move |change| {
            let terms = terms.now(change, &desk)?;
            give_back(change, &desk, &terms, entry)
        });
        outcome.await
    }

    /// The same for every entry that has played to the end.
    ///
    /// # Errors
    /// [`Slug::UnknownTournament`], [`Slug::IllegalMove`] before play has begun.
    pub async fn give_deposits_back(
        &self,
        by: &By,
        tournament: &TournamentId,
    ) -> Result<DepositsBack, Problem> {
        let mut all = DepositsBack::default();
        if self.clock().desk(tournament) < self.regulation(tournament)?.begins() {
            return Err(Problem::new(Slug::IllegalMove));
        }
        let mut after: Option<OrderId> = None;
        loop {
            let id = tournament.clone();
            let page = self
                .store()
                .read(move |c| {
                    let orders = orders::page(c, &id, after, PAGE)?;
                    let ids: Vec<OrderId> = orders.iter().map(|order| order.id).collect();
                    let entries = entries::of_orders(c, &ids)?;
                    Ok::<_, Problem>((ids.last().copied(), entries))
                })
                .await?;
            let (Some(last), entries) = page else {
                return Ok(all);
            };
            after = Some(last);
            for entry in entries.iter().filter(|e| e.status == Status::Confirmed) {
                match self.give_deposit_back(by, tournament, entry.id).await {
                    Ok(back) if back.amount > 0 => all.back.push(back),
                    Ok(_) => {}
                    Err(problem)
                        if matches!(problem.slug, Slug::IllegalMove | Slug::NothingLeft) =>
                    {
                        all.left.push(entry.id);
                    }
                    Err(problem) => return Err(problem),
                }
            }
        }
    }
}

fn give_back(
    change: &mut Change<'_>,
    desk: &Desk,
    terms: &Terms,
    entry: EntryId,
) -> Result<DepositBack, Problem> {
    let (mut dossier, index) = of_entry(change, entry)?;
    let now = lines::of_entry(&dossier.order, &dossier.entries, index);
    let (paid, back) = deposits(&terms.frozen, &now);
    let answer = DepositBack {
        entry,
        amount: paid,
        currency: dossier.order.currency,
    };
    let more = paid - back;
    if more <= 0 {
        return Ok(answer);
    }
    let stands = dossier.entries[index].status == Status::Confirmed;
    let settled = dossier.due() <= 0 && dossier.disputed() == 0;
    if !stands || !settled || change.stamp.at < terms.present.begins() {
        return Err(Problem::new(Slug::IllegalMove));
    }
    let ask = RefundAsk {
        paid: more,
        currency: dossier.order.currency,
        requested_at: change.stamp.at,
        cause: RefundCause::Finished,
        approved: true,
        section: None,
        rows: [].into(),
        credit: false,
        proof: None,
    };
    let quote = rules::refund(&terms.frozen, &ask);
    let taken_off = Line {
        entry: index,
        kind: LineKind::Adjustment,
        rule: FINISHED.into(),
        article: quote.article.as_str().into(),
        text: quote.text.clone(),
        amount: -more,
        with: None,
    };
    let lines: Vec<Line> = now.into_iter().chain([taken_off]).collect();
    let new = NewPrice {
        index,
        to: dossier.entries[index].price - more,
        lines: &lines,
        rule: "deposit",
    };
    set_price(change, &mut dossier, &new)?;
    let whose = (entry, RefundCause::Finished);
    reserve_all(change, desk, &mut dossier, whose, quote)?;
    dossier.save(change)?;
    Ok(answer)
}

/// What an entry costs for deposits, and what of it has come back.
fn deposits(frozen: &Regulation, lines: &[Line]) -> (i64, i64) {
    let sum = |counts: &dyn Fn(&str) -> bool| {
        let own = lines.iter().filter(|line| counts(&line.rule));
        own.map(|line| line.amount).sum::<i64>()
    };
    let paid = sum(&|rule| frozen.deposits().any(|id| id == rule));
    (paid, -sum(&|rule| rule == FINISHED))
}
