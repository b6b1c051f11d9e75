//! Who calls: machines by a key (`enr_<id>_<secret>`), payers by the token of their order; both as `Bearer`, at both
//! doors.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use domain::{
    Actor, EntryId, IdSource, KeyId, OrderId, OrganiserId, PaymentId, Problem, RefundId, Slug,
    TournamentId, UtcTime,
};
use hmac::digest::CtOutput;
use registration::Desk;
use sha2::{Digest, Sha256};
use store::keys::{self, Key};
use store::{Conn, Lane, StoreError, entries, orders, payments, refunds, tournaments};

/// How the text of every key begins.
const KEY_PREFIX: &str = "enr_";
/// How ids of keys begin inside; a key's text leaves it out.
const ID_PREFIX: &str = "key_";

/// What a key may be used for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Role {
    /// Sees everything, changes nothing.
    Viewer,
    /// Approves, rejects, places, checks facts, decides byes.
    Arbiter,
    /// Handles money.
    Treasurer,
    /// Everything.
    Admin,
    /// Asks the rules engine with an instant and checked facts of its own.
    Rules,
    /// Reads who plays.
    Pairing,
}

impl Role {
    /// Every role, in the order of the docs.
    pub const ALL: [Role; 6] = [
        Role::Viewer,
        Role::Arbiter,
        Role::Treasurer,
        Role::Admin,
        Role::Rules,
        Role::Pairing,
    ];

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Viewer => "viewer",
            Role::Arbiter => "arbiter",
            Role::Treasurer => "treasurer",
            Role::Admin => "admin",
            Role::Rules => "rules",
            Role::Pairing => "pairing",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names no role.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} is none of viewer, arbiter, treasurer, admin, rules, pairing")]
pub struct UnknownRole(String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(word: &str) -> Result<Self, UnknownRole> {
        Role::ALL
            .into_iter()
            .find(|role| role.as_str() == word)
            .ok_or_else(|| UnknownRole(word.chars().take(40).collect()))
    }
}

/// What a caller wants to do, as far as roles go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// Look at orders, lists and the journal.
    Read,
    /// Decide about entries and byes.
    Arbitrate,
    /// Confirm money and give it back.
    Money,
    /// Open a tournament, give out codes.
    Administer,
    /// Ask the rules engine about any instant and with checked facts.
    AskRules,
    /// Read who plays.
    Pair,
}

impl Act {
    /// Roles of which one is enough.
    fn roles(self) -> &'static [Role] {
        match self {
            Act::Read => &[Role::Viewer, Role::Arbiter, Role::Treasurer, Role::Admin],
            Act::Arbitrate => &[Role::Arbiter, Role::Admin],
            Act::Money => &[Role::Treasurer, Role::Admin],
            Act::Administer => &[Role::Admin],
            Act::AskRules => &[Role::Rules, Role::Admin],
            Act::Pair => &[Role::Pairing, Role::Admin],
        }
    }
}

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

/// A key to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewKey {
    /// Of which organiser.
    pub organiser: OrganiserId,
    /// What it is for.
    pub label: String,
    /// What it may do.
    pub roles: BTreeSet<Role>,
    /// When it ends; none for never.
    pub expires_at: Option<UtcTime>,
}

/// Makes a key. Its text is answered once and not stored: the database has a hash of it.
///
/// # Errors
/// [`Problem`] when the database fails.
pub async fn make_key(desk: &Desk, new: NewKey) -> Result<(KeyId, String), Problem> {
    let wall = desk.clock().wall();
    let id = KeyId(IdSource::default().next(wall, rand::random()));
    let secret = hex(&rand::random::<[u8; 32]>());
    let roles: Vec<&str> = new.roles.iter().map(|role| role.as_str()).collect();
    let key = Key {
        id,
        organiser: new.organiser,
        label: new.label,
        secret_hash: hex(&Sha256::digest(&secret)),
        roles: roles.join(","),
        created_at: wall,
        expires_at: new.expires_at,
        revoked_at: None,
    };
    desk.store()
        .write(Lane::Settle, move |c| keys::insert(c, &key))
        .await?;
    let shown = id.to_string();
    let digits = shown.strip_prefix(ID_PREFIX).unwrap_or(&shown);
    Ok((id, format!("{KEY_PREFIX}{digits}_{secret}")))
}

/// The holder of a key's text.
async fn staff(desk: &Desk, text: &str) -> Result<Staff, Problem> {
    let refuse = || Problem::new(Slug::Unauthenticated);
    let (id, secret) = text
        .strip_prefix(KEY_PREFIX)
        .and_then(|rest| rest.split_once('_'))
        .ok_or_else(refuse)?;
    let id: KeyId = format!("{ID_PREFIX}{id}").parse().map_err(|_| refuse())?;
    let key = desk.store().read(move |c| keys::find(c, id)).await?;
    let key = key.ok_or_else(refuse)?;
    let now = desk.clock().wall();
    let ended = key.revoked_at.is_some() || key.expires_at.is_some_and(|end| end <= now);
    if ended || !fits(secret, &key.secret_hash) {
        return Err(refuse());
    }
    Ok(Staff {
        key: id,
        organiser: key.organiser,
        roles: key.roles.split(',').filter_map(|r| r.parse().ok()).collect(),
    })
}

/// Whether a secret has this hash, in constant time. One round of SHA-256 is enough for 256 random bits.
fn fits(secret: &str, stored: &str) -> bool {
    let Some(stored) = unhex(stored) else {
        return false;
    };
    CtOutput::<Sha256>::new(Sha256::digest(secret)) == CtOutput::<Sha256>::new(stored.into())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * place..2 * place + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_fits_its_secret_only() {
        let hash = hex(&Sha256::digest("abc"));
        assert!(fits("abc", &hash));
        assert!(!fits("abd", &hash));
        assert!(!fits("abc", ""));
    }

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
        let allowed = |role| acts.into_iter().filter(|act| with(&[role]).has(*act)).collect::<Vec<_>>();
        assert_eq!(allowed(Role::Viewer), [Act::Read]);
        assert_eq!(allowed(Role::Arbiter), [Act::Read, Act::Arbitrate]);
        assert_eq!(allowed(Role::Treasurer), [Act::Read, Act::Money]);
        assert_eq!(allowed(Role::Admin), acts);
        assert_eq!(allowed(Role::Rules), [Act::AskRules]);
        assert_eq!(allowed(Role::Pairing), [Act::Pair]);
    }
}
