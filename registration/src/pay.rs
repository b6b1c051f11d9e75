//! Open a payment at the gateway: its row and key first, then the call, then the gateway's answer.

use domain::{
    Actor, Event, Money, OrderId, PaymentId, PaymentKind, PaymentStatus, Problem, Slug, Text,
    TournamentId, UtcTime,
};
use serde::{Deserialize, Serialize};
use store::change::Change;
use store::orders::{self, Order};
use store::payments::{self, Payment};
use store::{Lane, Store};

use crate::admit::amount_mismatch;
use crate::desk::{By, Desk, Judged};
use crate::dossier::Dossier;
use crate::gateway::{GatewayError, Opened, PaymentAsk, SeenState};
use crate::slip::{DESK, payable};

/// Stripe's hosted page lives from 30 minutes to 24 hours; a minute of margin on both sides.
const SHORTEST_PAGE: i64 = 31 * 60;
const LONGEST_PAGE: i64 = 24 * 3_600 - 60;

/// A payment that the payer asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpenPayment {
    /// [`PaymentKind::Session`] or [`PaymentKind::Intent`].
    pub method: PaymentKind,
    /// The sum that the payer was shown: another is refused.
    pub expected: Option<Money>,
    /// Where the page sends the payer back to.
    pub return_url: String,
}

/// A payment that may be paid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PaymentOpened {
    /// Which one.
    pub payment: PaymentId,
    /// How it is paid.
    pub method: PaymentKind,
    /// How much.
    pub amount: Money,
    /// The hosted page.
    pub url: Option<String>,
    /// What the payer's own form needs.
    pub client_secret: Option<String>,
    /// When the page closes, by the wall clock.
    pub expires_at: Option<UtcTime>,
}

impl Desk {
    /// Opens a payment for what an order owes. An open one of the same kind and sum is given again; another is closed
    /// first.
    ///
    /// # Errors
    /// [`Slug::NothingToPay`], [`Slug::IllegalMove`], [`Slug::HoldTooShort`], [`Slug::AmountMismatch`],
    /// [`Slug::MethodNotOffered`], [`Slug::PaymentRefused`], [`Slug::GatewayDown`].
    pub async fn open_payment(
        &self,
        by: &By,
        tournament: &TournamentId,
        order: OrderId,
        ask: OpenPayment,
    ) -> Result<PaymentOpened, Problem> {
        let gateway = self.gateway()?;
        let gateway_methods = [PaymentKind::Session, PaymentKind::Intent];
        if !self.regulation(tournament)?.payment_methods().card
            || !gateway_methods.contains(&ask.method)
        {
            return Err(Problem::new(Slug::MethodNotOffered));
        }
        let once = self.once(by, "open_payment", tournament, &order.to_string(), &ask);
        let stamp = self.stamp(tournament, by);
        let wanted = ask.clone();
        let judged = self.judge(tournament, &stamp, once.as_ref(), move |change| {
            let dossier = Dossier::load(change, order)?;
            payable_now(change, &dossier, &wanted)?;
            let wall = change.stamp.wall;
            Ok(dossier
                .payments
                .iter()
                .any(|p| is_reusable(p, dossier.due(), &wanted, wall)))
        });
        // Only what will be opened closes what is open.
        if let Judged::New(false) = judged.await? {
            self.close_open_payments(order).await?;
        }
        let (fresh, account) = (PaymentId(self.number()), gateway.account().to_owned());
        let payment = self
            .change(Lane::Desk, tournament, stamp, once, move |change| {
                let mut dossier = Dossier::load(change, order)?;
                payable_now(change, &dossier, &ask)?;
                if let Some(open) = dossier
                    .payments
                    .iter()
                    .find(|p| is_reusable(p, dossier.due(), &ask, change.stamp.wall))
                {
                    return Ok(open.id);
                }
                if dossier
                    .payments
                    .iter()
                    .any(|p| p.account != DESK && is_unsettled(p))
                {
                    return Err(Problem::new(Slug::Raced));
                }
                dossier.order.attempts += 1;
                let row = new_row(change, &dossier, &ask, fresh, &account);
                payments::insert(change.conn, &row)?;
                dossier.save(change)?;
                Ok(row.id)
            })
            .await?;
        self.finish_opening(payment).await
    }

    /// Makes the gateway's call of a payment whose row is there, with the key that was saved with it, unless the answer
    /// is there already.
    ///
    /// # Errors
    /// [`Slug::PaymentRefused`], [`Slug::GatewayDown`].
    pub async fn finish_opening(&self, id: PaymentId) -> Result<PaymentOpened, Problem> {
        let (payment, order, email, language) = read_for_call(self.store(), id).await?;
        if payment.status != PaymentStatus::Creating {
            return Ok(opened_view(&payment));
        }
        let name = self
            .regulation(&payment.tournament)?
            .name()
            .in_language(language)
            .to_owned();
        let ask = PaymentAsk {
            payment: payment.id,
            order: payment.order,
            reference: order.reference.clone(),
            tournament: payment.tournament.clone(),
            method: payment.method,
            amount: Money::new(payment.amount, payment.currency),
            description: format!("{name} · {}", order.reference),
            email,
            language,
            return_url: payment.return_url.clone().unwrap_or_default(),
            expires_at: payment
                .expires_at
                .unwrap_or_else(|| self.clock().wall().plus_seconds(LONGEST_PAGE)),
            key: payment.gateway_key.clone(),
        };
        let answer = self.gateway()?.open(&ask).await;
        let stamp = self.stamp(&payment.tournament, &By::actor(Actor::Payer));
        let refused = matches!(
            answer,
            Err(GatewayError::Refused { .. } | GatewayError::Unknown)
        );
        let unknown = match &answer {
            Err(GatewayError::NoAnswer(why)) => Some(why.clone()),
            _ => None,
        };
        if let Some(why) = unknown {
            return Err(Problem {
                retry_after: Some(2),
                source: Some(why.into()),
                ..Problem::new(Slug::GatewayDown)
            });
        }
        let saved = self
            .change(
                Lane::Settle,
                &payment.tournament.clone(),
                stamp,
                None,
                move |change| save_answer(change, id, &answer),
            )
            .await?;
        let payment = self
            .store()
            .read(move |c| Ok::<_, Problem>(payments::find(c, saved)?))
            .await?;
        let payment = payment.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
        if refused {
            return Err(refused_problem(
                payment.failure.as_deref().unwrap_or("refused"),
            ));
        }
        Ok(opened_view(&payment))
    }

    /// Closes every payment of an order that is open at the gateway; whatever turns out to be paid is credited first.
    ///
    /// # Errors
    /// [`Slug::GatewayDown`] where the gateway does not say; [`Slug::IllegalMove`] while one is on its way.
    pub(crate) async fn close_open_payments(&self, order: OrderId) -> Result<(), Problem> {
        let open = self
            .store()
            .read(move |c| Ok::<_, Problem>(payments::of_order(c, order)?))
            .await?;
        for payment in open
            .into_iter()
            .filter(|p| p.account != DESK && is_unsettled(p))
        {
            if payment.status == PaymentStatus::Creating {
                // The call may have had its effect: made again with its key, it shows what there is to close.
                match self.finish_opening(payment.id).await {
                    Err(problem) if problem.slug == Slug::PaymentRefused => continue,
                    other => other.map(drop)?,
                }
            }
            let id = payment.id;
            let known = self
                .store()
                .read(move |c| Ok::<_, Problem>(payments::find(c, id)?))
                .await?;
            let Some(reference) = known.and_then(|p| p.reference) else {
                continue;
            };
            let gateway = self.gateway()?;
            match gateway.close(&reference).await {
                Ok(seen) => {
                    let processing = seen.state == SeenState::Processing;
                    self.observe_payment(gateway.account(), seen).await?;
                    if processing {
                        return Err(Problem::new(Slug::IllegalMove));
                    }
                }
                Err(error) => {
                    let source = Some(error.to_string().into());
                    return Err(Problem {
                        retry_after: Some(2),
                        source,
                        ..Problem::new(Slug::GatewayDown)
                    });
                }
            }
        }
        Ok(())
    }

    /// Makes the calls again of payments that were left half opened by a crash or a lost answer; how many.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn step_openings(&self) -> Result<usize, Problem> {
        let Ok(gateway) = self.gateway() else {
            return Ok(0);
        };
        let (account, before) = (
            gateway.account().to_owned(),
            self.clock().wall().plus_seconds(-30),
        );
        let stuck = self
            .store()
            .read(move |c| Ok::<_, Problem>(payments::unsettled(c, &account, before, 50)?))
            .await?;
        let stuck: Vec<_> = stuck
            .into_iter()
            .filter(|p| p.status == PaymentStatus::Creating)
            .collect();
        for payment in &stuck {
            if let Err(problem) = self.finish_opening(payment.id).await {
                tracing::warn!(payment.id = %payment.id, problem = problem.slug.as_str(), "a payment is still half opened");
            }
        }
        Ok(stuck.len())
    }
}

fn is_unsettled(payment: &Payment) -> bool {
    matches!(
        payment.status,
        PaymentStatus::Creating | PaymentStatus::Open | PaymentStatus::Processing
    )
}

/// Whether an open payment is what is asked for and can still be paid.
fn is_reusable(payment: &Payment, due: i64, ask: &OpenPayment, wall: UtcTime) -> bool {
    matches!(
        payment.status,
        PaymentStatus::Creating | PaymentStatus::Open
    ) && payment.method == ask.method
        && payment.amount == due
        && payment.return_url.as_deref() == Some(ask.return_url.as_str())
        && payment
            .expires_at
            .is_none_or(|end| wall.plus_seconds(60) < end)
}

fn payable_now(change: &Change<'_>, dossier: &Dossier, ask: &OpenPayment) -> Result<(), Problem> {
    payable(dossier)?;
    if dossier
        .order
        .hold_until
        .is_some_and(|end| end <= change.stamp.at)
    {
        return Err(Problem::new(Slug::HoldTooShort));
    }
    let due = Money::new(dossier.due(), dossier.order.currency);
    match ask.expected {
        Some(shown) if shown != due => Err(amount_mismatch("amount", shown, due)),
        _ => Ok(()),
    }
}

fn new_row(
    change: &Change<'_>,
    dossier: &Dossier,
    ask: &OpenPayment,
    id: PaymentId,
    account: &str,
) -> Payment {
    let (at, wall) = (change.stamp.at, change.stamp.wall);
    let left = dossier
        .order
        .hold_until
        .map_or(LONGEST_PAGE, |end| end.as_seconds() - at.as_seconds());
    Payment {
        id,
        tournament: dossier.order.tournament.clone(),
        order: dossier.order.id,
        account: account.to_owned(),
        method: ask.method,
        status: PaymentStatus::Creating,
        amount: dossier.due(),
        currency: dossier.order.currency,
        received: 0,
        disputed: 0,
        gateway_key: format!("enroc-{id}"),
        reference: None,
        intent: None,
        url: None,
        client_secret: None,
        expires_at: Some(wall.plus_seconds(left.clamp(SHORTEST_PAGE, LONGEST_PAGE))),
        slip_number: None,
        slip_date: None,
        failure: None,
        return_url: Some(ask.return_url.clone()),
        charged_at: None,
        created_at: wall,
        updated_at: wall,
    }
}

async fn read_for_call(
    store: &Store,
    id: PaymentId,
) -> Result<(Payment, Order, Option<String>, domain::Language), Problem> {
    store
        .read(move |c| {
            let payment =
                payments::find(c, id)?.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
            let order =
                orders::find(c, payment.order)?.ok_or_else(|| Problem::new(Slug::UnknownOrder))?;
            let contact = orders::contact(c, order.id)?;
            let language = contact.as_ref().map(|c| c.language).unwrap_or_default();
            Ok((payment, order, contact.and_then(|c| c.email), language))
        })
        .await
}

fn save_answer(
    change: &mut Change<'_>,
    id: PaymentId,
    answer: &Result<Opened, GatewayError>,
) -> Result<PaymentId, Problem> {
    let mut row =
        payments::find(change.conn, id)?.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
    // A webhook may have been here first.
    let was = row.status;
    row.updated_at = change.stamp.wall;
    match answer {
        Ok(opened) => {
            let untold = row.url.is_none() && row.client_secret.is_none();
            row.reference = Some(opened.reference.clone());
            row.intent = row.intent.take().or_else(|| opened.intent.clone());
            row.url.clone_from(&opened.url);
            row.client_secret.clone_from(&opened.client_secret);
            if was == PaymentStatus::Creating {
                row.status = PaymentStatus::Open;
            }
            payments::save(change.conn, &row, was)?;
            if untold {
                let event = Event::PaymentOpened {
                    payment: id,
                    method: row.method,
                    amount: row.amount,
                };
                change.record(Some(row.order), &event, &[])?;
            }
        }
        Err(error) if was == PaymentStatus::Creating => {
            let code = match error {
                GatewayError::Refused { code, .. } => code.clone(),
                GatewayError::Unknown | GatewayError::NoAnswer(_) => "unknown".into(),
            };
            row.status = PaymentStatus::Failed;
            row.failure = Some(code.clone());
            payments::save(change.conn, &row, was)?;
            change.record(
                Some(row.order),
                &Event::PaymentFailed { payment: id, code },
                &[],
            )?;
        }
        Err(_) => {}
    }
    Ok(id)
}

fn refused_problem(code: &str) -> Problem {
    let text = Text::new(
        format!("La passarel·la respon: {code}."),
        format!("La pasarela responde: {code}."),
        format!("The gateway says: {code}."),
    );
    Problem::new(Slug::PaymentRefused).field("payment", code, text)
}

fn opened_view(payment: &Payment) -> PaymentOpened {
    PaymentOpened {
        payment: payment.id,
        method: payment.method,
        amount: Money::new(payment.amount, payment.currency),
        url: payment.url.clone(),
        client_secret: payment.client_secret.clone(),
        expires_at: payment.expires_at,
    }
}
