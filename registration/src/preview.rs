//! What publishing a text would change, told before it is done: for new entrants, and for those who are in already.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{EntryId, Problem, SectionId, Slug, TournamentId, UtcTime};
use rules::check::{Finding, Limits, Severity};
use rules::diff::{ClauseChange, Diff, clauses, diff};
use rules::{Approval, Effective, IdentityScope, Ordering, Regulation};
use serde::Serialize;
use store::orders::Order;
use store::tournaments::{self, Tournament};
use store::{Conn, Island, entries, orders};

use crate::desk::{By, Desk};
use crate::may_change::{self, Obstacle, Standing};
use crate::publish::Publish;
use crate::seats::Seats;
use crate::touched::{Asked, Look, Touched};

/// Orders read at once.
const PAGE: i64 = 500;

/// Something that the text says of the tournament as a whole, and says otherwise now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TermChange {
    /// Which (`pay_by`).
    pub term: &'static str,
    /// What the published version says; nothing where it says nothing.
    pub before: Option<String>,
    /// What the new one says.
    pub after: Option<String>,
}

/// A figure of seats that is different.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatChange {
    /// The sections that share the seats; empty for the whole tournament.
    pub sections: Vec<SectionId>,
    /// How many there are; none where there is no limit, or the organiser has not set it.
    pub before: Option<i64>,
    /// How many there would be.
    pub after: Option<i64>,
}

/// A row that only the first so many may have, of another number now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FirstChange {
    /// Which.
    pub row: String,
    /// How many may have it.
    pub before: u32,
    /// How many might; below those who have it nobody loses it, and nobody gets one until they are fewer.
    pub after: u32,
    /// How many have it.
    pub taken: u32,
}

/// What publishing a text would change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preview {
    /// The published version, which it would take the place of.
    pub replaces: i32,
    /// The hash of the published version.
    pub replaced_hash: String,
    /// The hash of the text.
    pub hash: String,
    /// What `check` finds in it, errors first.
    pub findings: Vec<Finding>,
    /// What the orders that stand do not allow.
    pub obstacles: Vec<Obstacle>,
    /// Whose price changes among those who enter from now on; none where the two cannot be compared, as in another currency.
    pub prices: Option<Diff>,
    /// What the text says otherwise, prices and all.
    pub clauses: Vec<ClauseChange>,
    /// What is different of the tournament as a whole, for a program.
    pub terms: Vec<TermChange>,
    /// Figures of seats that are different.
    pub seats: Vec<SeatChange>,
    /// Rows that only the first so many may have, of another number now.
    pub firsts: Vec<FirstChange>,
    /// Whether entry would be closed until the organiser sets a figure.
    pub closes_entry: bool,
    /// Those who are in already.
    pub touched: Touched,
}

impl Preview {
    /// Whether it is the published text to the byte.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.hash == self.replaced_hash
    }

    /// Whether it could be published as things stand.
    #[must_use]
    pub fn may_be_published(&self) -> bool {
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        self.obstacles.is_empty() && !self.findings.iter().any(is_error)
    }
}

impl Desk {
    /// What publishing a text would change. Changes nothing; the orders are read page by page, so that what it tells of a
    /// desk at work is of no single instant. `progress` hears how many forms are done of how many.
    ///
    /// # Errors
    /// [`Slug::UnknownTournament`], [`Slug::InvalidFields`] for a text that is no regulation or is of another tournament.
    pub async fn preview(
        &self,
        by: &By,
        tournament: &TournamentId,
        source: String,
        progress: impl Fn(u64, u64) + Send + Sync,
    ) -> Result<Preview, Problem> {
        let (row, standing) = self.standing(by, tournament).await?;
        let present = self.version(tournament, row.version).await?;
        let asked = Publish {
            source,
            replaces: row.version,
        };
        let (next, findings) = self.read_text(tournament, &asked).await?;
        let prices = self.prices(&present, &next).await?;
        let mut look = Look {
            touched: Touched::default(),
            present: Arc::clone(&present),
            next: Arc::clone(&next),
            at: self.clock().desk(tournament),
            seats: Seats::new(&next, standing.capacity, &standing.counts).ok(),
        };
        let closes_entry = look.seats.is_none();
        let forms = u64::try_from(row.last_form).unwrap_or(0);
        let (mut after, mut done) = (None, 0);
        loop {
            let (id, from) = (tournament.clone(), after);
            let page = self.store().read(move |c| page(c, &id, from)).await?;
            let Some(last) = page.orders.last() else {
                break;
            };
            after = Some(last.id);
            let mut versions = BTreeMap::new();
            for order in &page.orders {
                let version = self.version(tournament, order.version).await?;
                versions.insert(order.version, version);
            }
            done += page.entries.len();
            // Pure, and long enough for a thread of its own.
            look = tokio::task::spawn_blocking(move || page.taken_by(look, &versions))
                .await
                .map_err(Problem::internal)?;
            progress(u64::try_from(done).unwrap_or(forms), forms);
        }
        Ok(Preview {
            replaces: row.version,
            replaced_hash: present.reference().hash.to_string(),
            hash: next.reference().hash.to_string(),
            findings,
            obstacles: may_change::obstacles(&present, &next, &standing),
            prices,
            clauses: clauses(&present, &next),
            terms: terms(&present, &next),
            seats: seats(&present, &next, &standing),
            firsts: firsts(&present, &next, &standing),
            closes_entry,
            touched: look.touched,
        })
    }

    async fn standing(
        &self,
        by: &By,
        tournament: &TournamentId,
    ) -> Result<(Tournament, Standing), Problem> {
        let (id, stamp, desk) = (tournament.clone(), self.stamp(tournament, by), self.clone());
        self.store()
            .read(move |c| {
                let found = tournaments::find(c, &id)?;
                let row = found.ok_or_else(|| Problem::new(Slug::UnknownTournament))?;
                let mut island = Island::around(row.clone());
                let mut change = island.change(c, &stamp);
                let present = desk.present(&mut change)?;
                let standing = Standing::read(&mut change, &present)?;
                Ok((row, standing))
            })
            .await
    }

    async fn prices(
        &self,
        present: &Arc<Regulation>,
        next: &Arc<Regulation>,
    ) -> Result<Option<Diff>, Problem> {
        let (present, next) = (Arc::clone(present), Arc::clone(next));
        self.walk(move || diff(&present, &next, &Limits::ANY_SUM).ok())
            .await
    }
}

/// Some orders with what hangs on them.
struct Page {
    orders: Vec<Order>,
    entries: Vec<entries::Entry>,
    entrants: BTreeMap<EntryId, domain::Entrant>,
}

fn page(
    c: &mut Conn,
    tournament: &TournamentId,
    after: Option<domain::OrderId>,
) -> Result<Page, Problem> {
    let orders = orders::page(c, tournament, after, PAGE)?;
    let ids: Vec<_> = orders.iter().map(|order| order.id).collect();
    let entries = entries::of_orders(c, &ids)?;
    let own = entries.iter().map(|entry| entry.id);
    let beside = orders.iter().flat_map(|order| &order.standing);
    let whose: Vec<_> = own.chain(beside.map(|known| known.entry)).collect();
    Ok(Page {
        entrants: entries::entrants_of(c, &whose)?,
        orders,
        entries,
    })
}

impl Page {
    fn taken_by(self, mut look: Look, versions: &BTreeMap<i32, Arc<Regulation>>) -> Look {
        let mut by_order: BTreeMap<_, Vec<entries::Entry>> = BTreeMap::new();
        for entry in self.entries {
            by_order.entry(entry.order).or_default().push(entry);
        }
        for order in &self.orders {
            let entries = by_order.remove(&order.id).unwrap_or_default();
            if let Some(frozen) = versions.get(&order.version) {
                look.take(&Asked {
                    order,
                    entries: &entries,
                    entrants: &self.entrants,
                    frozen,
                });
            }
        }
        look
    }
}

/// An instant as the venue's clocks show it.
fn local(regulation: &Regulation, at: UtcTime) -> String {
    let there = at.timestamp().to_zoned(regulation.time_zone().clone());
    there.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

fn methods(regulation: &Regulation) -> String {
    let methods = regulation.payment_methods();
    let named = [
        (methods.card, "card"),
        (methods.transfer, "transfer"),
        (methods.slip, "slip"),
    ];
    let on = named.into_iter().filter(|(on, _)| *on);
    on.map(|(_, name)| name).collect::<Vec<_>>().join(", ")
}

/// What a text says of the tournament as a whole, in its own words.
fn said(regulation: &Regulation) -> [(&'static str, Option<String>); 14] {
    let instant = |at: Option<UtcTime>| at.map(|at| local(regulation, at));
    let word = |word: &str| Some(word.to_owned());
    let (first, last) = regulation.days();
    [
        ("currency", word(regulation.currency().code())),
        (
            "time_zone",
            regulation.time_zone().iana_name().map(str::to_owned),
        ),
        ("first_day", Some(first.to_string())),
        ("last_day", Some(last.to_string())),
        ("begins", instant(Some(regulation.begins()))),
        ("opens", instant(regulation.opens())),
        ("closes", instant(regulation.closes())),
        ("pay_by", instant(regulation.pay_by())),
        ("hold_seconds", Some(regulation.hold_seconds().to_string())),
        (
            "order",
            word(match regulation.order() {
                Ordering::ByForm => "form",
                Ordering::ByPayment => "payment",
            }),
        ),
        (
            "approval",
            word(match regulation.approval() {
                Approval::None => "none",
                Approval::BeforePayment => "before payment",
                Approval::AfterPayment => "after payment",
            }),
        ),
        (
            "effective",
            word(match regulation.effective() {
                Effective::Paid => "paid",
                Effective::SlipGiven => "slip given",
                Effective::Approved => "approved",
            }),
        ),
        (
            "once_per",
            word(match regulation.identity_scope() {
                IdentityScope::Tournament => "tournament",
                IdentityScope::Section => "section",
            }),
        ),
        ("payment_methods", Some(methods(regulation))),
    ]
}

fn terms(present: &Regulation, next: &Regulation) -> Vec<TermChange> {
    let both = said(present).into_iter().zip(said(next));
    let changed = both.filter(|((_, before), (_, after))| before != after);
    let told = changed.map(|((term, before), (_, after))| TermChange {
        term,
        before,
        after,
    });
    told.collect()
}

fn firsts(present: &Regulation, next: &Regulation, standing: &Standing) -> Vec<FirstChange> {
    let rows = present.limited_rows().filter_map(|row| {
        Some(FirstChange {
            row: row.to_owned(),
            before: present.first_of(row)?,
            after: next.first_of(row)?,
            taken: standing.claims.get(row).copied().unwrap_or(0),
        })
    });
    rows.filter(|row| row.before != row.after).collect()
}

fn figures(regulation: &Regulation, standing: &Standing) -> BTreeMap<Vec<SectionId>, Option<i64>> {
    let rules = regulation.capacity().iter();
    let figure = |rule: &rules::CapacityRule| rule.seats.map(i64::from).or(standing.capacity);
    rules
        .map(|rule| (rule.sections.clone(), figure(rule)))
        .collect()
}

fn seats(present: &Regulation, next: &Regulation, standing: &Standing) -> Vec<SeatChange> {
    let (before, after) = (figures(present, standing), figures(next, standing));
    let mut sections: Vec<_> = before.keys().chain(after.keys()).cloned().collect();
    sections.sort();
    sections.dedup();
    let change = |sections: Vec<SectionId>| SeatChange {
        before: before.get(&sections).copied().flatten(),
        after: after.get(&sections).copied().flatten(),
        sections,
    };
    let all = sections.into_iter().map(change);
    all.filter(|change| change.before != change.after).collect()
}
