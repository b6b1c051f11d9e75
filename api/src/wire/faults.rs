//! The faults of a request, collected until it has been read to its end.

use std::fmt::{self, Display};
use std::str::FromStr;

use domain::{FieldFault, Problem, Slug, Text, is_blank, is_name, is_one_line};
use jiff::civil::Date;

use super::Word;

macro_rules! rules {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $ca:literal, $es:literal, $en:literal;)*) => {
        /// What a field breaks.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Rule { $($(#[$doc])* $variant,)* }

        impl Rule {
            /// Every rule, in the order of the table.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant,)*];

            /// The stable code.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Rule::$variant => $code,)* }
            }

            /// The sentence.
            #[must_use]
            pub fn text(self) -> Text {
                match self { $(Rule::$variant => Text::new($ca, $es, $en),)* }
            }
        }
    };
}

rules! {
    /// It is not there, or empty.
    Required = "required",
        "Cal omplir-lo.", "Hay que rellenarlo.", "It is required.";
    /// No day of the calendar in the form `YYYY-MM-DD`.
    NotADate = "not_a_date",
        "No és una data del calendari (AAAA-MM-DD).", "No es una fecha del calendario (AAAA-MM-DD).", "It is no date of the calendar (YYYY-MM-DD).";
    /// No instant.
    NotAnInstant = "not_an_instant",
        "No és un instant (RFC 3339, amb el seu desfasament).", "No es un instante (RFC 3339, con su desfase).", "It is no instant (RFC 3339, with its offset).";
    /// No code of a federation or a licence.
    NotACode = "not_a_code",
        "No és un codi de federació o de llicència, en majúscules.", "No es un código de federación o de licencia, en mayúsculas.", "It is no code of a federation or a licence, in capitals.";
    /// Not in ISO 4217.
    NotACurrency = "not_a_currency",
        "No és una moneda d'ISO 4217.", "No es una moneda de ISO 4217.", "It is no currency of ISO 4217.";
    /// A currency in which the tournament has no prices.
    OtherCurrency = "other_currency",
        "El torneig no té preus en aquesta moneda.", "El torneo no tiene precios en esta moneda.", "The tournament has no prices in this currency.";
    /// A number that is too small or too large.
    OutOfRange = "out_of_range",
        "El nombre és massa petit o massa gran.", "El número es demasiado pequeño o demasiado grande.", "The number is too small or too large.";
    /// A word or code that the list does not have.
    UnknownValue = "unknown_value",
        "No és cap dels valors possibles.", "No es ninguno de los valores posibles.", "It is none of the possible values.";
    /// No id of this kind, or with characters that an id does not have.
    NotAnId = "not_an_id",
        "No és un identificador vàlid.", "No es un identificador válido.", "It is not a valid identifier.";
    /// No address for mail.
    NotAnAddress = "not_an_address",
        "No és una adreça de correu electrònic.", "No es una dirección de correo electrónico.", "It is no e-mail address.";
    /// A name of signs alone.
    NotAName = "not_a_name",
        "No és un nom: no hi ha cap lletra ni xifra.", "No es un nombre: no hay ninguna letra ni cifra.", "It is no name: there is no letter or digit in it.";
    /// A text of more than one line, or with characters that change how it reads.
    NotOneLine = "not_one_line",
        "Ha de ser una sola línia, sense caràcters de control ni que girin l'escriptura.", "Tiene que ser una sola línea, sin caracteres de control ni que giren la escritura.", "It must be one line, without characters that control or turn the writing.";
    /// A player and a team in one entry.
    OneOfTwo = "one_of_two",
        "O un jugador o un equip, no tots dos.", "O un jugador o un equipo, no ambos.", "Either a player or a team, not both.";
    /// Longer than a field may be.
    TooLong = "too_long",
        "És massa llarg.", "Es demasiado largo.", "It is too long.";
    /// More items than a list may have.
    TooMany = "too_many",
        "N'hi ha massa.", "Hay demasiados.", "There are too many.";
    /// Only a key with the role rules may say this.
    NeedsRulesRole = "needs_rules_role",
        "Cal una clau amb el rol «rules».", "Hace falta una clave con el rol «rules».", "A key with the role “rules” is needed.";
}

/// The longest text that a field may hold, in characters.
pub const LONGEST_TEXT: usize = 300;

/// A field of something that has a path: written out only where it is at fault, for most never are.
#[derive(Clone, Copy)]
pub struct At<'p> {
    /// Where the whole stands (`entries[0].entrant`).
    pub path: &'p dyn Display,
    /// The field (`rating`).
    pub field: &'p str,
}

impl Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.path, self.field)
    }
}

/// What somebody asks for and why, or everything that is wrong with it.
pub type Read<T> = Result<(T, Option<String>), Problem>;

/// What was found wrong so far.
#[derive(Debug, Default)]
pub struct Faults {
    found: Vec<FieldFault>,
    forbidden: Option<Slug>,
}

impl Faults {
    /// Notes one. A field has one complaint, the first: what comes after only follows from it.
    pub fn add(&mut self, field: impl Display, rule: Rule) {
        let field = field.to_string();
        if self.found.iter().all(|known| known.field != field) {
            self.found.push(FieldFault {
                field,
                rule: rule.code().to_owned(),
                text: rule.text(),
            });
        }
    }

    /// Notes a field that only a key with the role rules may fill: who brought no key is asked for one, whose key has
    /// another role is refused.
    pub fn forbid(&mut self, field: impl Display, word: Word) {
        self.forbidden = Some(match word {
            Word::Anybody => Slug::Unauthenticated,
            Word::Entrant | Word::Rules => Slug::Denied,
        });
        self.add(field, Rule::NeedsRulesRole);
    }

    /// The value; a fault where there is none.
    pub fn required<T>(&mut self, field: impl Display, value: Option<T>) -> Option<T> {
        if value.is_none() {
            self.add(field, Rule::Required);
        }
        value
    }

    /// A line that somebody wrote; one that shows nothing is none.
    pub fn text(&mut self, field: impl Display, text: Option<String>) -> Option<String> {
        let text = self.lines(&field, text)?;
        if is_one_line(&text) {
            return Some(text);
        }
        self.add(field, Rule::NotOneLine);
        None
    }

    /// Lines that somebody wrote (a postal address); what shows nothing is none.
    pub fn lines(&mut self, field: impl Display, text: Option<String>) -> Option<String> {
        let text = text.filter(|t| !is_blank(t))?;
        if text.chars().count() > LONGEST_TEXT {
            self.add(field, Rule::TooLong);
            return None;
        }
        if !text.lines().all(is_one_line) {
            self.add(field, Rule::NotOneLine);
            return None;
        }
        Some(text)
    }

    /// A name that somebody wrote; one that shows nothing is none.
    pub fn name(&mut self, field: impl Display, name: Option<String>) -> Option<String> {
        let name = self.text(&field, name)?;
        if !is_name(&name) {
            self.add(field, Rule::NotAName);
            return None;
        }
        Some(name)
    }

    /// Why staff do what a payer will ask the reason of.
    pub fn reason(&mut self, reason: Option<String>) -> Option<String> {
        let reason = self.text("reason", reason);
        self.required("reason", reason)
    }

    /// What a text says; a fault where it says no such thing.
    pub fn parsed<T: FromStr>(&mut self, field: impl Display, text: &str, rule: Rule) -> Option<T> {
        let value = text.parse().ok();
        if value.is_none() {
            self.add(field, rule);
        }
        value
    }

    /// What a text that must be there says.
    pub fn required_parsed<T: FromStr>(
        &mut self,
        field: impl Display,
        text: Option<&str>,
        rule: Rule,
    ) -> Option<T> {
        let text = self.required(&field, text.filter(|t| !t.is_empty()))?;
        self.parsed(field, text, rule)
    }

    /// A day, `YYYY-MM-DD` and nothing else.
    pub fn date(&mut self, field: impl Display, text: &str) -> Option<Date> {
        let date = text.parse().ok().filter(|d: &Date| d.to_string() == text);
        if date.is_none() {
            self.add(field, Rule::NotADate);
        }
        date
    }

    /// The refusal of everything found, or the value.
    ///
    /// # Errors
    /// [`Slug::InvalidFields`]; [`Slug::Unauthenticated`] or [`Slug::Denied`] where a field is not for this caller to
    /// fill.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Problem> {
        if self.found.is_empty() {
            return value.ok_or_else(|| Problem::internal("a field was refused without a word"));
        }
        Err(Problem {
            fields: self.found,
            ..Problem::new(self.forbidden.unwrap_or(Slug::InvalidFields))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_a_day_of_the_calendar_in_one_form() {
        for (text, good) in [
            ("2012-02-29", true),
            ("2011-02-29", false),
            ("1990-02-30", false),
            ("1990-5-1", false),
            ("19900501", false),
            ("1990-05-01T00:00:00", false),
            ("", false),
        ] {
            assert_eq!(Faults::default().date("d", text).is_some(), good, "{text}");
        }
    }

    #[test]
    fn a_field_has_one_complaint_and_it_is_the_right_one() {
        let long = || Some("x".repeat(LONGEST_TEXT + 1));
        for (text, rule) in [
            (long(), Rule::TooLong),
            (None, Rule::Required),
            (Some(" \u{200b}".to_owned()), Rule::Required),
            (Some("A\n1".to_owned()), Rule::NotOneLine),
            (Some("A\u{202e}1".to_owned()), Rule::NotOneLine),
        ] {
            let mut faults = Faults::default();
            let read = faults.text("reference", text.clone());
            faults.required("reference", read);
            assert_eq!(rules(faults), [rule.code()], "{text:?}");
        }
        for (text, rule) in [
            (long(), Rule::TooLong),
            (Some(". -".to_owned()), Rule::NotAName),
        ] {
            let mut faults = Faults::default();
            let read = faults.name("name", text.clone());
            faults.required("name", read);
            assert_eq!(rules(faults), [rule.code()], "{text:?}");
        }
    }

    fn rules(faults: Faults) -> Vec<String> {
        let problem = faults.finish(Some(())).unwrap_err();
        problem.fields.into_iter().map(|field| field.rule).collect()
    }

    #[test]
    fn every_rule_has_its_own_code_and_three_sentences() {
        let mut seen = std::collections::BTreeSet::new();
        for rule in Rule::ALL {
            assert!(seen.insert(rule.code()), "{rule:?} twice");
            let text = rule.text();
            assert!(text.ca != text.es && text.es != text.en, "{rule:?}");
        }
    }
}
