//! The walk through the gateway's own objects: what it holds is the truth, whatever events came or did not come. What the
//! desk has not written down goes through the same transitions as a webhook; what is not the desk's is reported.

use std::sync::Arc;
use std::time::Duration;

use domain::{Money, PaymentStatus, Problem, RefundStatus, Slug, UtcTime};
use registration::{
    Desk, Gateway, GatewayError, Observed, RefundState, Seen, SeenDispute, SeenRefund, SeenState,
};
use serde::Serialize;
use store::{Conn, payments, refunds};

use crate::StripeGateway;
use crate::stripe::Page;

/// Between two pages of a list: far below Stripe's limit of 25 reads a second in test mode.
/// <https://docs.stripe.com/rate-limits>
const BREATH: Duration = Duration::from_millis(250);

/// Walks through one account.
pub struct Walker {
    desk: Desk,
    gateway: Arc<StripeGateway>,
}

/// What a walk found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Walked {
    /// Payments, refunds and disputes that the gateway holds.
    pub objects: usize,
    /// Journal rows that were written for what the desk had not written down.
    pub repaired: i64,
    /// What the desk cannot take: somebody has to look.
    pub findings: Vec<Finding>,
}

/// Something at the gateway that belongs to no order here.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The gateway's id.
    pub reference: String,
    /// Why it stands here: `money_of_no_order`, `refund_of_no_order`, `not_here_yet`, `unreadable`.
    pub what: &'static str,
    /// How much, minor units, where that can be read.
    pub amount: Option<i64>,
    /// Its currency.
    pub currency: Option<&'static str>,
}

impl Walker {
    /// A walker through the account of a gateway.
    #[must_use]
    pub fn new(desk: Desk, gateway: Arc<StripeGateway>) -> Walker {
        Walker { desk, gateway }
    }

    /// Walks through everything that was made since an instant of the wall clock, and through every dispute that is not
    /// decided. Harmless when repeated.
    ///
    /// # Errors
    /// [`Slug::GatewayDown`] where the gateway's list breaks off; [`Problem`] when the database fails. What was repaired
    /// until then stays.
    pub async fn walk(&self, since: UtcTime) -> Result<Walked, Problem> {
        let mut walked = Walked::default();
        let before = self.written().await?;
        self.payments(&mut walked, since).await?;
        self.refunds(&mut walked, since).await?;
        self.disputes(&mut walked, since).await?;
        walked.repaired = self.written().await? - before;
        Ok(walked)
    }

    async fn payments(&self, walked: &mut Walked, since: UtcTime) -> Result<(), Problem> {
        let mut after = None;
        loop {
            let page = self.gateway.intents(since, after).await;
            let page = page.map_err(broke_off)?;
            walked.objects += page.objects.len();
            for (reference, seen) in self.unsettled(page.objects).await? {
                self.payment(walked, reference, seen).await?;
            }
            after = page.next;
            if !goes_on(&after).await {
                return Ok(());
            }
        }
    }

    async fn refunds(&self, walked: &mut Walked, since: UtcTime) -> Result<(), Problem> {
        let mut after = None;
        loop {
            let page = self.gateway.refunds(since, after).await;
            let page = page.map_err(broke_off)?;
            walked.objects += page.objects.len();
            for (reference, seen) in self.unlike(page.objects).await? {
                self.refund(walked, reference, seen).await?;
            }
            after = page.next;
            if !goes_on(&after).await {
                return Ok(());
            }
        }
    }

    async fn disputes(&self, walked: &mut Walked, since: UtcTime) -> Result<(), Problem> {
        let account = self.gateway.account().to_owned();
        let read = move |c: &mut Conn| payments::oldest_disputed(c, &account);
        let oldest = self.desk.store().read(read).await?;
        let since = oldest.map_or(since, |opened| opened.min(since));
        let mut after = None;
        loop {
            let page = self.gateway.disputes(since, after).await;
            let page = page.map_err(broke_off)?;
            walked.objects += page.objects.len();
            for (reference, seen) in page.objects {
                self.dispute(walked, reference, seen).await?;
            }
            after = page.next;
            if !goes_on(&after).await {
                return Ok(());
            }
        }
    }

    /// Without those that the desk has settled: what it has read of them stands.
    async fn unsettled(&self, page: Page<Seen>) -> Result<Page<Seen>, Problem> {
        let account = self.gateway.account().to_owned();
        let read = move |c: &mut Conn| {
            let mut left = Vec::new();
            for (reference, seen) in page {
                let known = payments::find_by_gateway(c, &account, &reference)?;
                let payment = known.map(|id| payments::find(c, id)).transpose()?.flatten();
                let settled = [PaymentStatus::Succeeded, PaymentStatus::Quarantined];
                if !payment.is_some_and(|p| settled.contains(&p.status)) {
                    left.push((reference, seen));
                }
            }
            Ok::<_, Problem>(left)
        };
        self.desk.store().read(read).await
    }

    /// Without those that stand in the desk's books as they do at the gateway.
    async fn unlike(&self, page: Page<SeenRefund>) -> Result<Page<SeenRefund>, Problem> {
        let read = move |c: &mut Conn| {
            let mut left = Vec::new();
            for (reference, seen) in page {
                let known = refunds::find_by_gateway(c, &reference)?;
                let refund = known.map(|id| refunds::find(c, id)).transpose()?.flatten();
                let same = matches!(
                    (refund.map(|r| r.status), seen.as_ref().map(|s| &s.state)),
                    (Some(RefundStatus::Sent), Ok(RefundState::Pending))
                        | (Some(RefundStatus::Succeeded), Ok(RefundState::Succeeded))
                        | (Some(RefundStatus::Failed), Ok(RefundState::Failed(_)))
                );
                if !same {
                    left.push((reference, seen));
                }
            }
            Ok::<_, Problem>(left)
        };
        self.desk.store().read(read).await
    }

    async fn payment(
        &self,
        walked: &mut Walked,
        reference: String,
        seen: Result<Seen, GatewayError>,
    ) -> Result<(), Problem> {
        let Ok(seen) = seen else {
            walked.find(reference, "unreadable", None);
            return Ok(());
        };
        // An intent without money, open or closed, is not of the books: the second look closes what has to be closed.
        let SeenState::Succeeded { received, .. } = seen.state else {
            return Ok(());
        };
        match self
            .desk
            .observe_payment(self.gateway.account(), seen)
            .await?
        {
            Observed::Known => {}
            Observed::NotYet => walked.find(reference, "not_here_yet", Some(received)),
            Observed::Foreign => walked.find(reference, "money_of_no_order", Some(received)),
        }
        Ok(())
    }

    async fn refund(
        &self,
        walked: &mut Walked,
        reference: String,
        seen: Result<SeenRefund, GatewayError>,
    ) -> Result<(), Problem> {
        let Ok(seen) = seen else {
            walked.find(reference, "unreadable", None);
            return Ok(());
        };
        let amount = seen.amount;
        match self
            .desk
            .observe_refund(self.gateway.account(), seen)
            .await?
        {
            Observed::Known => {}
            Observed::NotYet => walked.find(reference, "not_here_yet", Some(amount)),
            Observed::Foreign => walked.find(reference, "refund_of_no_order", Some(amount)),
        }
        Ok(())
    }

    async fn dispute(
        &self,
        walked: &mut Walked,
        reference: String,
        seen: Result<SeenDispute, GatewayError>,
    ) -> Result<(), Problem> {
        let seen = match seen {
            // Inquiries took nothing back. Whose payment it is not, whose dispute it is not either.
            Ok(seen) if seen.amount.amount == 0 => return Ok(()),
            Err(GatewayError::Unknown) => return Ok(()),
            Ok(seen) => seen,
            Err(_) => {
                walked.find(reference, "unreadable", None);
                return Ok(());
            }
        };
        self.desk
            .observe_dispute(self.gateway.account(), seen)
            .await?;
        Ok(())
    }

    /// Journal rows of all tournaments.
    async fn written(&self) -> Result<i64, Problem> {
        let all = self.desk.store().read(store::tournaments::all).await?;
        Ok(all.iter().map(|tournament| tournament.last_journal).sum())
    }
}

impl Walked {
    fn find(&mut self, reference: String, what: &'static str, sum: Option<Money>) {
        self.findings.push(Finding {
            reference,
            what,
            amount: sum.map(|sum| sum.amount),
            currency: sum.map(|sum| sum.currency.code()),
        });
    }
}

/// Whether there is another page, after a pause.
async fn goes_on(next: &Option<String>) -> bool {
    if next.is_some() {
        tokio::time::sleep(BREATH).await;
    }
    next.is_some()
}

fn broke_off(error: GatewayError) -> Problem {
    Problem {
        source: Some(error.into()),
        ..Problem::new(Slug::GatewayDown)
    }
}
