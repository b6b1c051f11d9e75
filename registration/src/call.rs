//! The gateway's call that opens a payment whose row and key are saved, and what its answer comes to.

use domain::{Actor, Event, Money, OrderId, PaymentId, PaymentStatus, Problem, Slug, Text};
use store::change::Change;
use store::orders::{self, Order};
use store::payments::{self, Payment};
use store::{Ask, Lane, Store};

use crate::desk::{By, Desk};
use crate::dossier::Dossier;
use crate::gateway::{GatewayError, Opened, PaymentAsk};
use crate::pay::{LONGEST_PAGE, PaymentOpened};

impl Desk {
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
            since: payment.created_at,
            key: payment.gateway_key.clone(),
        };
        let answer = self.gateway()?.open(&ask).await;
        let stamp = self.stamp(&payment.tournament, &By::actor(Actor::Payer));
        let refused = matches!(
            answer,
            Err(GatewayError::Refused { .. } | GatewayError::Unknown)
        );
        if let Err(GatewayError::NoAnswer(why) | GatewayError::KeySpent(why)) = &answer {
            let why = why.clone();
            if matches!(answer, Err(GatewayError::KeySpent(_))) {
                self.take_new_key(&payment).await?;
            }
            return Err(Problem {
                retry_after: Some(2),
                source: Some(why.into()),
                ..Problem::new(Slug::GatewayDown)
            });
        }
        let key = payment.gateway_key;
        let ask = Ask::of_order(payment.tournament, order.id);
        let saved = self
            .decide(Lane::Settle, ask, stamp, None, move |change| {
                save_answer(change, order.id, id, &key, &answer)
            })
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

    /// Saves another key for the next call, where the gateway would answer every repeat under the old one with the failure
    /// that it has stored.
    async fn take_new_key(&self, payment: &Payment) -> Result<(), Problem> {
        let (id, spent) = (payment.id, payment.gateway_key.clone());
        let key = format!("enroc-{id}-{}", self.number());
        let stamp = self.stamp(&payment.tournament, &By::actor(Actor::Timer));
        let outcome = self.change(
            Lane::Settle,
            &payment.tournament,
            stamp,
            None,
            move |change| {
                let found = payments::find(change.conn()?, id)?;
                let mut row = found.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
                // Another may have taken a new one, or got an answer, meanwhile.
                if row.status == PaymentStatus::Creating && row.gateway_key == spent {
                    row.gateway_key.clone_from(&key);
                    row.updated_at = change.stamp.wall;
                    change.save_payment(&row, PaymentStatus::Creating)?;
                }
                Ok(())
            },
        );
        outcome.await
    }

    /// Makes the calls again of payments that were left half opened by a crash or a lost answer; how many.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn step_openings(&self) -> Result<usize, Problem> {
        let Ok(gateway) = self.gateway() else {
            return Ok(0);
        };
        let (account, wall) = (gateway.account().to_owned(), self.clock().wall());
        let stuck = self
            .store()
            .read(move |c| Ok::<_, Problem>(payments::unsettled(c, &account, (wall, 30), 50)?))
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
    order: OrderId,
    id: PaymentId,
    key: &str,
    answer: &Result<Opened, GatewayError>,
) -> Result<PaymentId, Problem> {
    let found = Dossier::load(change, order)?.payments;
    let found = found.into_iter().find(|payment| payment.id == id);
    let mut row = found.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
    // A webhook may have been here first.
    let was = row.status;
    row.updated_at = change.stamp.wall;
    match answer {
        // Another call, under another key, was answered first. Nobody gets the address of what this one opened.
        Ok(opened)
            if row
                .reference
                .as_ref()
                .is_some_and(|known| *known != opened.reference) => {}
        Ok(opened) => {
            let untold = row.url.is_none() && row.client_secret.is_none();
            key.clone_into(&mut row.gateway_key);
            row.reference = Some(opened.reference.clone());
            row.intent = row.intent.take().or_else(|| opened.intent.clone());
            row.url.clone_from(&opened.url);
            row.client_secret.clone_from(&opened.client_secret);
            if was == PaymentStatus::Creating {
                row.status = PaymentStatus::Open;
            }
            change.save_payment(&row, was)?;
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
                GatewayError::Unknown | GatewayError::NoAnswer(_) | GatewayError::KeySpent(_) => {
                    "unknown".into()
                }
            };
            row.status = PaymentStatus::Failed;
            row.failure = Some(code.clone());
            change.save_payment(&row, was)?;
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
