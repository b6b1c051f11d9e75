//! Moves the subscribers' cursors over the journal and writes what is to be sent, both in one transaction.

use std::sync::Arc;

use domain::{Clock, DeliveryId, IdSource, OrderId, Recorded, TournamentId, UtcTime};
use store::deliveries::{self, Behind, Delivery};
use store::{Conn, Lane, Store, StoreError, journal};

use crate::{MAIL, PAIRING, command, mail, pairing};

/// Rows read at once.
const PAGE: i64 = 500;

/// Who reads, and the deliveries that a command's rows about one order make for it: number and kind.
type Maker = fn(&[&Recorded]) -> Vec<(i64, String)>;

fn maker(subscriber: &str) -> Maker {
    match subscriber {
        MAIL => |rows| {
            let mail = mail::mail(rows);
            mail.map(|(number, kind)| (number, kind.as_str().to_owned()))
                .into_iter()
                .collect()
        },
        _ => |rows| {
            let messages = pairing::messages(rows).into_iter();
            messages
                .map(|(number, message)| (number, message.to_word()))
                .collect()
        },
    }
}

/// What the cursors of a desk need to move.
#[derive(Clone)]
pub(crate) struct Reader {
    pub store: Store,
    pub ids: Arc<IdSource>,
    pub clock: Arc<dyn Clock>,
}

impl Reader {
    /// Reads every journal to its end; how many deliveries were written. `told` says which tournaments have a pairing
    /// service: the others' cursors stay where they are, so that one that comes later is told all.
    pub(crate) async fn advance(&self, told: &[TournamentId]) -> Result<usize, StoreError> {
        let mut written = 0;
        for subscriber in [MAIL, PAIRING] {
            let behind = self
                .store
                .read(move |c| deliveries::behind(c, subscriber))
                .await?;
            for journal in behind {
                if subscriber == MAIL || told.contains(&journal.tournament) {
                    written += self.read_to_end(subscriber, journal).await?;
                }
            }
        }
        Ok(written)
    }

    async fn read_to_end(
        &self,
        subscriber: &'static str,
        journal: Behind,
    ) -> Result<usize, StoreError> {
        let Behind {
            tournament,
            mut cursor,
            last,
        } = journal;
        let mut written = 0;
        while cursor < last {
            let page = self.page(subscriber, &tournament, cursor).await?;
            let Some((to, count)) = page else { break };
            cursor = to;
            written += count;
        }
        Ok(written)
    }

    /// One page: where the cursor stands then and how many deliveries were written; `None` where another process
    /// moved it, or there is nothing to read.
    async fn page(
        &self,
        subscriber: &'static str,
        tournament: &TournamentId,
        from: i64,
    ) -> Result<Option<(i64, usize)>, StoreError> {
        let of = tournament.clone();
        let mut rows = self
            .store
            .read(move |c| journal::after(c, &of, from, PAGE))
            .await?;
        let full = rows.len() == usize::try_from(PAGE).unwrap_or(0);
        rows.truncate(command::whole(&rows, !full));
        let Some(to) = rows.last().map(|row| row.number) else {
            return Ok(None);
        };
        let wall = self.clock.wall();
        let made = self.deliveries(subscriber, tournament, &rows, wall);
        let count = made.len();
        let of = tournament.clone();
        let write = move |c: &mut Conn| {
            if !deliveries::advance(c, &of, subscriber, from, to)? {
                return Ok::<_, StoreError>(None);
            }
            for delivery in &made {
                deliveries::insert(c, delivery, wall)?;
            }
            Ok(Some((to, count)))
        };
        self.store.write(Lane::Settle, write).await
    }

    fn deliveries(
        &self,
        subscriber: &str,
        tournament: &TournamentId,
        rows: &[Recorded],
        wall: UtcTime,
    ) -> Vec<Delivery> {
        let maker = maker(subscriber);
        let delivery = |lane: OrderId, (journal_number, kind): (i64, String)| Delivery {
            id: DeliveryId(self.ids.next(wall, rand::random())),
            tournament: tournament.clone(),
            subscriber: subscriber.to_owned(),
            journal_number,
            lane,
            kind,
            attempts: 0,
        };
        let mut made = Vec::new();
        for command in command::split(rows) {
            for (order, rows) in command::by_order(command) {
                made.extend(maker(&rows).into_iter().map(|one| delivery(order, one)));
            }
        }
        made
    }
}
