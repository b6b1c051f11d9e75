//! Who calls: machines by a key (`enr_<id>_<secret>`), payers by the token of their order; both as `Bearer`, at both
//! doors.

use std::collections::BTreeSet;
use std::fmt;

use domain::{
    Actor, EntryId, KeyId, OrderId, OrganiserId, PaymentId, Problem, RefundId, Slug, TournamentId,
};
use registration::Desk;
use store::{Conn, StoreError, entries, orders, payments, refunds, tournaments};

use crate::wire::Word;

mod key;
mod role;

pub use key::{NewKey, make_key};
pub use role::{Act, Role, UnknownRole};

use key::{KEY_PREFIX, staff};

/// Something of one tournament that staff act on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The tournament itself.
    Tournament(TournamentId),
    /// An order.
    Order(OrderId),
    /// An entry.
    Entry(EntryId),
    /// A payment.
    Payment(PaymentId),
    /// A refund.
    Refund(RefundId),
}

impl Subject {
    /// Its tournament, where there is such a thing.
    fn tournament(&self, c: &mut Conn) -> Result<Option<TournamentId>, StoreError> {
        Ok(match self {
            Subject::Tournament(id) => Some(id.clone()),
            Subject::Order(id) => orders::find(c, *id)?.map(|order| order.tournament),
            Subject::Entry(id) => entries::find(c, *id)?.map(|entry| entry.tournament),
            Subject::Payment(id) => payments::find(c, *id)?.map(|payment| payment.tournament),
            Subject::Refund(id) => refunds::find(c, *id)?.map(|refund| refund.tournament),
        })
    }

    /// The order that it belongs to; none for a tournament.
    ///
    /// # Errors
    /// The subject's own `unknown-…`.
    pub async fn order(&self, desk: &Desk) -> Result<OrderId, Problem> {
        let asked = self.clone();
        let found = desk.store().read(move |c| {
            Ok::<_, StoreError>(match asked {
                Subject::Tournament(_) => None,
                Subject::Order(id) => Some(id),
                Subject::Entry(id) => entries::find(c, id)?.map(|entry| entry.order),
                Subject::Payment(id) => payments::find(c, id)?.map(|payment| payment.order),
                Subject::Refund(id) => refunds::find(c, id)?.map(|refund| refund.order),
            })
        });
        found.await?.ok_or_else(|| self.unknown())
    }

    fn unknown(&self) -> Problem {
        Problem::new(match self {
            Subject::Tournament(_) => Slug::UnknownTournament,
            Subject::Order(_) => Slug::UnknownOrder,
            Subject::Entry(_) => Slug::UnknownEntry,
            Subject::Payment(_) => Slug::UnknownPayment,
            Subject::Refund(_) => Slug::UnknownRefund,
        })
    }
}

/// A machine with a valid key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Staff {
    /// Its key.
    pub key: KeyId,
    /// The organiser that the key is of.
    pub organiser: OrganiserId,
    /// What it may do.
    pub roles: BTreeSet<Role>,
}

impl Staff {
    /// Whether a role allows this.
    #[must_use]
    pub fn has(&self, act: Act) -> bool {
        act.roles().iter().any(|role| self.roles.contains(role))
    }
}

/// Who calls.
#[derive(Clone, PartialEq, Eq)]
pub enum Caller {
    /// Nobody in particular.
    Anonymous,
    /// Somebody with a token, which may or may not be of the order asked for.
    Payer(String),
    /// A machine with a valid key.
    Staff(Staff),
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Caller::Anonymous => f.write_str("Anonymous"),
            Caller::Payer(_) => f.write_str("Payer(..)"),
            Caller::Staff(staff) => staff.fmt(f),
        }
    }
}

impl Caller {
    /// Reads the value of an `Authorization` header (RFC 6750, 2.1) or of the metadata of the same name.
    ///
    /// # Errors
    /// [`Slug::Unauthenticated`] for another scheme, and for a key that is unknown, wrong, expired or revoked.
    pub async fn from_header(desk: &Desk, value: Option<&str>) -> Result<Caller, Problem> {
        let Some(value) = value else {
            return Ok(Caller::Anonymous);
        };
        let bearer = value
            .trim()
            .split_once(' ')
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim())
            .filter(|token| !token.is_empty())
            .ok_or_else(|| Problem::new(Slug::Unauthenticated))?;
        if bearer.starts_with(KEY_PREFIX) {
            return Ok(Caller::Staff(staff(desk, bearer).await?));
        }
        Ok(Caller::Payer(bearer.to_owned()))
    }

    /// Who the journal names.
    #[must_use]
    pub fn actor(&self) -> Actor {
        match self {
            Caller::Anonymous | Caller::Payer(_) => Actor::Payer,
            Caller::Staff(staff) => Actor::Staff(staff.key.to_string()),
        }
    }

    /// The tournament of something that staff may do this to: one of their own organiser, by a role that allows it.
    ///
    /// # Errors
    /// [`Slug::Unauthenticated`] without a key, [`Slug::Denied`], and the subject's own `unknown-…`.
    pub async fn may_on(
        &self,
        desk: &Desk,
        subject: Subject,
        act: Act,
    ) -> Result<TournamentId, Problem> {
        let Caller::Staff(staff) = self else {
            return Err(Problem::new(Slug::Unauthenticated));
        };
        if !staff.has(act) {
            return Err(Problem::new(Slug::Denied));
        }
        let asked = subject.clone();
        let found = desk.store().read(move |c| {
            let Some(id) = asked.tournament(c)? else {
                return Ok(None);
            };
            tournaments::find(c, &id)
        });
        let row = found.await?.ok_or_else(|| subject.unknown())?;
        if row.organiser == staff.organiser {
            Ok(row.id)
        } else {
            Err(Problem::new(Slug::Denied))
        }
    }

    /// The same for a tournament.
    ///
    /// # Errors
    /// As [`Caller::may_on`].
    pub async fn may(
        &self,
        desk: &Desk,
        tournament: &TournamentId,
        act: Act,
    ) -> Result<(), Problem> {
        let subject = Subject::Tournament(tournament.clone());
        self.may_on(desk, subject, act).await.map(drop)
    }

    /// Staff of any organiser who may do this, where it is about no tournament.
    ///
    /// # Errors
    /// [`Slug::Unauthenticated`] without a key, [`Slug::Denied`].
    pub fn may_in_general(&self, act: Act) -> Result<(), Problem> {
        match self {
            Caller::Staff(staff) if staff.has(act) => Ok(()),
            Caller::Staff(_) => Err(Problem::new(Slug::Denied)),
            Caller::Anonymous | Caller::Payer(_) => Err(Problem::new(Slug::Unauthenticated)),
        }
    }

    /// Whose word the facts of a question about a tournament have: a key with the role rules of its organiser may choose
    /// the instant and the grades.
    ///
    /// # Errors
    /// [`Slug::Denied`] for such a key of another organiser.
    pub async fn word(&self, desk: &Desk, tournament: &TournamentId) -> Result<Word, Problem> {
        match self {
            Caller::Staff(staff) if staff.has(Act::AskRules) => {
                self.may(desk, tournament, Act::AskRules).await?;
                Ok(Word::Rules)
            }
            Caller::Staff(_) => Ok(Word::Entrant),
            Caller::Anonymous | Caller::Payer(_) => Ok(Word::Anybody),
        }
    }

    /// The tournament of an order that the caller may act on: its payer by the token, staff by a role.
    ///
    /// # Errors
    /// [`Slug::Unauthenticated`], [`Slug::UnknownOrder`], [`Slug::WrongToken`], [`Slug::Denied`].
    pub async fn open_order(
        &self,
        desk: &Desk,
        order: OrderId,
        act: Act,
    ) -> Result<TournamentId, Problem> {
        match self {
            Caller::Anonymous => Err(Problem::new(Slug::Unauthenticated)),
            Caller::Payer(token) => desk.open_with_token(order, token).await,
            Caller::Staff(_) => self.may_on(desk, Subject::Order(order), act).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_allow_their_acts_and_the_admin_all() {
        let with = |roles: &[Role]| Staff {
            key: KeyId(1),
            organiser: OrganiserId(1),
            roles: roles.iter().copied().collect(),
        };
        let acts = [
            Act::Read,
            Act::Arbitrate,
            Act::Money,
            Act::Administer,
            Act::AskRules,
            Act::Pair,
        ];
        let allowed = |role| {
            acts.into_iter()
                .filter(|act| with(&[role]).has(*act))
                .collect::<Vec<_>>()
        };
        assert_eq!(allowed(Role::Viewer), [Act::Read]);
        assert_eq!(allowed(Role::Arbiter), [Act::Read, Act::Arbitrate]);
        assert_eq!(allowed(Role::Treasurer), [Act::Read, Act::Money]);
        assert_eq!(allowed(Role::Admin), acts);
        assert_eq!(allowed(Role::Rules), [Act::AskRules]);
        assert_eq!(allowed(Role::Pairing), [Act::Pair]);
    }
}
