//! What keys may be used for.

use std::fmt;
use std::str::FromStr;

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
    /// Open a tournament, publish its regulation, give out codes.
    Administer,
    /// Ask the rules engine about any instant and with checked facts.
    AskRules,
    /// Read who plays.
    Pair,
}

impl Act {
    /// Roles of which one is enough.
    pub(super) fn roles(self) -> &'static [Role] {
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
