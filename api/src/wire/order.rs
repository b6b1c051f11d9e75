//! An order and what belongs to it, as a request says it.

use std::fmt::Display;

use domain::{EntryRequest, Language, PaymentKind, SectionId};
use registration::{NewEntry, Payer, Slip};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::entrant::{MoneyIn, PlayerIn, TeamIn, read_entrant};
use super::faults::{At, Faults, Rule};
use super::grades::Word;

/// Who orders and pays; for a minor the guardian.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PayerIn {
    /// Family name and given name.
    #[serde(default)]
    pub name: String,
    /// E-mail address.
    #[serde(default)]
    pub email: String,
    /// Postal address, where the organiser asks for it.
    pub address: Option<String>,
    /// The language of the mails: `ca`, `es` or `en`; none for the language of the request.
    pub language: Option<String>,
    /// The consents given, as the regulation names them.
    #[serde(default)]
    pub consents: Vec<String>,
}

impl PayerIn {
    /// The payer; whether name and consents suffice is the regulation's to say.
    pub fn read(self, path: &dyn Display, spoken: Language, faults: &mut Faults) -> Payer {
        let at = |field| At { path, field };
        let name = faults.name(at("name"), Some(self.name));
        // One of several lines is no address, which says more than that it is no line.
        let email = faults.lines(at("email"), Some(self.email));
        if email.as_deref().is_some_and(|text| !is_address(text)) {
            faults.add(at("email"), Rule::NotAnAddress);
        }
        let address = faults.lines(at("address"), self.address);
        let language = self
            .language
            .filter(|code| !code.is_empty())
            .and_then(|code| faults.parsed(at("language"), &code, Rule::UnknownValue));
        Payer {
            name: name.unwrap_or_default(),
            email: email.unwrap_or_default(),
            address,
            language: language.unwrap_or(spoken),
            consents: self.consents,
        }
    }
}

/// Something before one `@` and a domain after it, without blanks or control characters: the rest is for the mail to find out.
fn is_address(text: &str) -> bool {
    let plain = text
        .chars()
        .all(|c| !c.is_whitespace() && !c.is_control() && c != ',' && c != '<' && c != '>');
    let parts = text.split_once('@');
    plain
        && parts.is_some_and(|(name, host)| {
            !name.is_empty()
                && !host.contains('@')
                && host.split('.').all(|label| !label.is_empty())
        })
}

/// A slip paid at a counter, or a transfer.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SlipIn {
    /// `slip` or `transfer`; none for a slip.
    pub method: Option<String>,
    /// The number on it.
    #[serde(default)]
    pub number: String,
    /// The day on it, `YYYY-MM-DD`.
    pub date: Option<String>,
    /// The sum on it.
    pub amount: Option<MoneyIn>,
}

impl SlipIn {
    /// The slip.
    pub fn read(self, path: &dyn Display, faults: &mut Faults) -> Option<Slip> {
        let at = |field| At { path, field };
        let method = match self.method.as_deref() {
            None | Some("" | "slip") => Some(PaymentKind::Slip),
            Some("transfer") => Some(PaymentKind::Transfer),
            Some(_) => {
                faults.add(at("method"), Rule::UnknownValue);
                None
            }
        };
        let number = faults.text(at("number"), Some(self.number));
        let number = faults.required(at("number"), number);
        let date = self
            .date
            .filter(|text| !text.is_empty())
            .and_then(|text| faults.date(at("date"), &text));
        let amount = faults.required(at("amount"), self.amount);
        let amount = amount.and_then(|money| money.read(at("amount"), faults));
        Some(Slip {
            method: method?,
            number: number?,
            date,
            amount: amount?,
        })
    }
}

/// One entry that somebody asks about or registers: a section, and a player or a team.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EntryIn {
    /// The section, as the regulation names it; none where the organiser is to place the entrant.
    pub section: Option<String>,
    /// One player.
    pub entrant: Option<PlayerIn>,
    /// A team.
    pub team: Option<TeamIn>,
    /// A code that the organiser gave out.
    pub code: Option<String>,
}

impl EntryIn {
    /// The entry. What staff enter is checked by them; anybody else only declares.
    pub fn read(self, path: &dyn Display, word: Word, faults: &mut Faults) -> Option<NewEntry> {
        let section: Option<SectionId> = self
            .section
            .and_then(|id| faults.parsed(format_args!("{path}.section"), &id, Rule::NotAnId));
        let code = faults.text(format_args!("{path}.code"), self.code);
        let entrant = read_entrant(self.entrant, self.team, path, word, faults)?;
        Some(NewEntry {
            request: EntryRequest { section, entrant },
            code,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn an_address_has_a_name_and_a_host() {
        for (text, good) in [
            ("ana@example.org", true),
            ("ana.perez+x@correu.example.cat", true),
            ("ana", false),
            ("@example.org", false),
            ("ana@", false),
            ("ana@example..org", false),
            ("a b@example.org", false),
            ("ana@x@y", false),
            ("ana@example.org\r\nBcc: all@example.org", false),
            ("Ana <ana@example.org>", false),
        ] {
            assert_eq!(is_address(text), good, "{text}");
        }
    }
}
