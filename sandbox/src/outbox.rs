//! Webhooks on their way: queued, held, sent again until acknowledged. <https://docs.stripe.com/webhooks>

use serde::{Deserialize, Serialize};

use crate::faults::Twist;
use crate::signing;
use crate::table::Object;
use crate::world::World;

/// Where webhooks go, and the secret that signs them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Webhook {
    pub url: String,
    /// `whsec_…`
    pub secret: String,
}

/// The first pause before sending again, in milliseconds of the test clock; it doubles up to an hour.
const FIRST_PAUSE: i64 = 1000;
const LONGEST_PAUSE: i64 = 3_600_000;
/// With these pauses the last attempt comes about three days after the first.
const ATTEMPTS: u32 = 84;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Due(i64),
    Held,
    AfterNext,
    Done,
}

#[derive(Debug)]
struct Delivery {
    id: u64,
    event: String,
    kind: String,
    state: State,
    attempts: u32,
    twists: Vec<Twist>,
    /// Counts against the event's `pending_webhooks`.
    counted: bool,
}

/// One attempt that was made, for tests to look at.
#[derive(Clone, Debug, Serialize)]
pub struct Sent {
    pub delivery: u64,
    pub event: String,
    pub kind: String,
    /// 1 for the first.
    pub attempt: u32,
    /// The `Stripe-Signature` header.
    pub signature: String,
    pub body: String,
    /// What the endpoint answered; none when it could not be reached.
    pub status: Option<u16>,
}

/// A webhook that waits.
#[derive(Clone, Debug, Serialize)]
pub struct Waiting {
    pub delivery: u64,
    pub event: String,
    pub kind: String,
    pub attempts: u32,
    /// Kept back by a fault until released.
    pub held: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Outbox {
    pub(crate) endpoint: Option<Webhook>,
    queue: Vec<Delivery>,
    pub(crate) sent: Vec<Sent>,
    last: u64,
}

impl Outbox {
    fn push(&mut self, event: &str, kind: &str, state: State, twists: Vec<Twist>, counted: bool) {
        self.last += 1;
        let (event, kind) = (event.to_owned(), kind.to_owned());
        self.queue.push(Delivery {
            id: self.last,
            event,
            kind,
            state,
            attempts: 0,
            twists,
            counted,
        });
    }

    /// When the next one is due on the test clock, in Unix milliseconds.
    pub(crate) fn next_due(&self) -> Option<i64> {
        let due = self
            .queue
            .iter()
            .filter_map(|delivery| match delivery.state {
                State::Due(at) => Some(at),
                _ => None,
            });
        due.min()
    }

    pub(crate) fn waiting(&self) -> Vec<Waiting> {
        let waiting = self
            .queue
            .iter()
            .filter(|delivery| delivery.state != State::Done);
        waiting
            .map(|delivery| Waiting {
                delivery: delivery.id,
                event: delivery.event.clone(),
                kind: delivery.kind.clone(),
                attempts: delivery.attempts,
                held: !matches!(delivery.state, State::Due(_)),
            })
            .collect()
    }

    /// Lets go of held webhooks, all or those of one event, in the order of `which` or of their making.
    pub(crate) fn release(&mut self, event: Option<&str>, now_ms: i64) -> usize {
        let mut released = 0;
        for delivery in &mut self.queue {
            let named = event.is_none_or(|event| event == delivery.event);
            if named && matches!(delivery.state, State::Held | State::AfterNext) {
                delivery.state = State::Due(now_ms);
                released += 1;
            }
        }
        released
    }
}

/// Queues an event's webhook, twisted as the faults say.
pub(crate) fn enqueue(world: &mut World, event: &str) {
    if world.outbox.endpoint.is_none() {
        return;
    }
    let now = world.now_ms();
    let Some(kind) = world.events.find(event).map(|event| event.kind.clone()) else {
        return;
    };
    let twists = world.faults.next_twists(&kind);
    let has = |twist: Twist| twists.contains(&twist);
    let delay = twists.iter().find_map(|twist| match twist {
        Twist::Delay(by) => i64::try_from(*by).ok(),
        _ => None,
    });
    let (dropped, duplicated) = (has(Twist::Drop), has(Twist::Duplicate));
    let state = if has(Twist::Hold) {
        State::Held
    } else if has(Twist::Reorder) {
        State::AfterNext
    } else {
        State::Due(now + delay.unwrap_or(0))
    };
    let overtaken: Vec<usize> = (0..world.outbox.queue.len())
        .filter(|place| world.outbox.queue[*place].state == State::AfterNext)
        .collect();
    if !dropped {
        world.outbox.push(event, &kind, state, twists.clone(), true);
        if duplicated {
            world.outbox.push(event, &kind, state, twists, false);
        }
    }
    if state != State::AfterNext {
        for place in overtaken.into_iter().rev() {
            let mut late = world.outbox.queue.remove(place);
            late.state = State::Due(now);
            world.outbox.queue.push(late);
        }
    }
    if let Ok(event) = world.events.get_mut(event) {
        event.pending = 1;
    }
}

/// Queues an event once more, as the dashboard's "resend" does.
pub(crate) fn resend(world: &mut World, event: &str) -> Result<(), crate::refusal::Refusal> {
    let kind = world.events.get(event)?.kind.clone();
    let now = world.now_ms();
    world
        .outbox
        .push(event, &kind, State::Due(now), Vec::new(), false);
    Ok(())
}

/// A webhook ready to be sent.
pub(crate) struct Parcel {
    pub(crate) delivery: u64,
    pub(crate) url: String,
    pub(crate) signature: String,
    pub(crate) body: String,
}

/// The first due webhook, signed as of the wall clock in Unix seconds.
pub(crate) fn next_parcel(world: &World, wall: i64) -> Option<Parcel> {
    let endpoint = world.outbox.endpoint.as_ref()?;
    let now = world.now_ms();
    let due = world
        .outbox
        .queue
        .iter()
        .filter_map(|delivery| match delivery.state {
            State::Due(at) if at <= now => Some((at, delivery)),
            _ => None,
        });
    // Of several with the same instant the first in the queue.
    let (_, delivery) = due.min_by_key(|(at, _)| *at)?;
    let mut body = world.events.find(&delivery.event)?.json();
    for twist in &delivery.twists {
        signing::twist_body(&mut body, twist);
    }
    let body = body.to_string();
    let signature = signing::signature(&endpoint.secret, wall, &body, &delivery.twists);
    Some(Parcel {
        delivery: delivery.id,
        url: endpoint.url.clone(),
        signature,
        body,
    })
}

/// Takes down what became of a parcel; one that was not acknowledged waits for its next turn.
pub(crate) fn settle(world: &mut World, parcel: Parcel, status: Option<u16>) {
    let now = world.now_ms();
    let Some(delivery) = world
        .outbox
        .queue
        .iter_mut()
        .find(|delivery| delivery.id == parcel.delivery)
    else {
        return;
    };
    delivery.attempts += 1;
    let acknowledged = status.is_some_and(|status| (200..300).contains(&status));
    delivery.state = if acknowledged || delivery.attempts >= ATTEMPTS {
        State::Done
    } else {
        let pause = FIRST_PAUSE << (delivery.attempts - 1).min(20);
        State::Due(now + pause.min(LONGEST_PAUSE))
    };
    let sent = Sent {
        delivery: delivery.id,
        event: delivery.event.clone(),
        kind: delivery.kind.clone(),
        attempt: delivery.attempts,
        signature: parcel.signature,
        body: parcel.body,
        status,
    };
    let counted = delivery.counted;
    world
        .outbox
        .queue
        .retain(|delivery| delivery.state != State::Done);
    if acknowledged
        && counted
        && let Ok(event) = world.events.get_mut(&sent.event)
    {
        event.pending = 0;
    }
    world.outbox.sent.push(sent);
}
