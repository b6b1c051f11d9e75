//! Entrants that nobody entered, with facts that the regulation at hand may ask about.

use std::str::FromStr;

use arbitrary::{Error, Result, Unstructured};
use domain::{
    Answers, Currency, Entrant, FactName, Grade, Level, Money, Player, Pupil, SectionId, Sex, Team,
    Title,
};
use jiff::civil::Date;
use rules::{EntrantKind, Question, QuestionKind, Regulation};

use crate::mutate::words;

/// Makes entrants for a regulation.
pub(crate) struct People<'r> {
    regulation: &'r Regulation,
    words: Vec<&'r str>,
}

const TITLES: [Title; 8] = [
    Title::Gm,
    Title::Im,
    Title::Fm,
    Title::Cm,
    Title::Wgm,
    Title::Wim,
    Title::Wfm,
    Title::Wcm,
];
/// Whom a team is made of, mostly: some that stand side by side here, so that two teams may share a part of theirs.
const LETTERS: [&str; 12] = ["d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"];
const NAMES: [&str; 5] = ["Ana Peréz", "ana perez", "B", "", " "];

impl<'r> People<'r> {
    pub(crate) fn of(regulation: &'r Regulation) -> People<'r> {
        People {
            regulation,
            words: words(regulation.source()),
        }
    }

    /// Mostly of the kind that plays in the section.
    pub(crate) fn entrant(
        &self,
        bytes: &mut Unstructured<'_>,
        section: Option<&SectionId>,
    ) -> Result<Entrant> {
        let section = section.and_then(|id| self.regulation.section(id));
        let team = section.is_some_and(|section| section.kind == EntrantKind::Team);
        let mut entrant = match team != bytes.ratio(1, 16)? {
            true => Entrant::Team(self.team(bytes)?),
            false => Entrant::Player(self.player(bytes)?),
        };
        for fact in entrant.facts() {
            let by = String::new();
            let grade = match bytes.int_in_range(0..=3)? {
                0 => Grade::Declared,
                1 => Grade::Listed {
                    list: String::new(),
                    period: String::new(),
                },
                _ => Grade::Checked { by },
            };
            entrant.grades_mut().insert(*fact, grade);
        }
        if bytes.ratio(1, 8)? {
            entrant.grades_mut().remove(&FactName::Answers);
        }
        Ok(entrant)
    }

    fn player(&self, bytes: &mut Unstructured<'_>) -> Result<Player> {
        Ok(Player {
            name: self.name(bytes)?,
            fide_id: match bytes.ratio(1, 2)? {
                true => Some(bytes.int_in_range(1..=99)?),
                false => None,
            },
            sex: sex(bytes)?,
            birth_date: date(bytes)?,
            federation: self.code(bytes, &["ESP", "FRA", "CZE"])?,
            title: match bytes.ratio(1, 2)? {
                true => Some(*bytes.choose(&TITLES)?),
                false => None,
            },
            rating: match bytes.ratio(2, 3)? {
                true => Some(bytes.int_in_range(0..=3_000)?),
                false => None,
            },
            licences: (0..*bytes.choose(&[3, 3, 3, 2, 1, 0])?)
                .map(|_| self.code(bytes, &["FIDE", "FEDA", "FCE"]))
                .collect::<Result<_>>()?,
            disability: bytes.arbitrary()?,
            invited: bytes.arbitrary()?,
            previous_participant: bytes.arbitrary()?,
            agreed_price: match bytes.ratio(1, 2)? {
                true => Some(self.money(bytes)?),
                false => None,
            },
            club: match bytes.ratio(1, 2)? {
                true => Some(self.word(bytes)?.to_owned()),
                false => None,
            },
            answers: self.answers(bytes)?,
            grades: Default::default(),
        })
    }

    fn team(&self, bytes: &mut Unstructured<'_>) -> Result<Team> {
        let pupils = *bytes.choose(&[4, 4, 4, 4, 5, 6, 1, 0])?;
        let first = *bytes.choose(&[0, 0, 1, 6])?;
        let pupil = |bytes: &mut Unstructured<'_>, place: usize| {
            let levels = [
                Level::Primary,
                Level::Primary,
                Level::Primary,
                Level::Initial,
                Level::Secondary,
            ];
            Ok(Pupil {
                name: match bytes.ratio(1, 8)? {
                    true => letter(bytes)?,
                    false => LETTERS[first + place].to_owned(),
                },
                sex: sex(bytes)?,
                level: *bytes.choose(&levels)?,
            })
        };
        Ok(Team {
            name: letter(bytes)?,
            institution: (*bytes.choose(&["Escola", "escola ", "Escola", "", "Institut"])?)
                .to_owned(),
            coach: match bytes.ratio(3, 4)? {
                true => Some("C. Roca".to_owned()),
                false => self.name(bytes)?,
            },
            roster: (0..pupils)
                .map(|place| pupil(bytes, place))
                .collect::<Result<_>>()?,
            answers: self.answers(bytes)?,
            grades: Default::default(),
        })
    }

    fn name(&self, bytes: &mut Unstructured<'_>) -> Result<Option<String>> {
        match bytes.ratio(2, 3)? {
            true => Ok(Some((*bytes.choose(&NAMES)?).to_owned())),
            false => Ok(None),
        }
    }

    /// A word of the regulation's own.
    pub(crate) fn word(&self, bytes: &mut Unstructured<'_>) -> Result<&'r str> {
        Ok(match self.words.is_empty() {
            true => "",
            false => bytes.choose(&self.words)?,
        })
    }

    /// One of the usual codes, or of the words of the regulation that are codes of this kind.
    fn code<T: FromStr>(&self, bytes: &mut Unstructured<'_>, usual: &[&str]) -> Result<T> {
        let own = self.words.iter().copied();
        let own: Vec<&str> = own.filter(|word| word.parse::<T>().is_ok()).collect();
        let code = match own.is_empty() || bytes.ratio(2, 3)? {
            true => bytes.choose(usual)?,
            false => bytes.choose(&own)?,
        };
        code.parse().map_err(|_| Error::IncorrectFormat)
    }

    fn money(&self, bytes: &mut Unstructured<'_>) -> Result<Money> {
        let currency = self.currency(bytes)?;
        let currency = currency.unwrap_or(self.regulation.currency());
        Ok(Money::new(sum(bytes)?, currency))
    }

    /// One of the regulation's, one that is none of them, or none.
    pub(crate) fn currency(&self, bytes: &mut Unstructured<'_>) -> Result<Option<Currency>> {
        Ok(match bytes.int_in_range(0..=7)? {
            0 => "XAF".parse().ok(),
            1..=3 => None,
            _ => Some(*bytes.choose(self.regulation.currencies())?),
        })
    }

    fn answers(&self, bytes: &mut Unstructured<'_>) -> Result<Answers> {
        let mut answers = Answers::default();
        for question in self.regulation.questions() {
            if bytes.ratio(2, 3)? {
                let answer = answer(bytes, question)?;
                answers.0.insert(question.id.clone(), answer);
            }
        }
        if bytes.ratio(1, 64)? {
            answers
                .0
                .insert(self.word(bytes)?.to_owned(), String::new());
        }
        Ok(answers)
    }
}

fn answer(bytes: &mut Unstructured<'_>, question: &Question) -> Result<String> {
    Ok(match &question.kind {
        QuestionKind::YesNo => bytes.arbitrary::<bool>()?.to_string(),
        QuestionKind::Number { from, to } => bytes
            .int_in_range(from - 1..=to.saturating_add(1))?
            .to_string(),
        QuestionKind::Choice(choices) => bytes.choose(choices)?.id.clone(),
    })
}

/// Small, at an end, or any at all.
pub(crate) fn sum(bytes: &mut Unstructured<'_>) -> Result<i64> {
    match bytes.int_in_range(0..=3)? {
        0 => bytes.arbitrary(),
        1 => Ok(*bytes.choose(&[i64::MAX, i64::MAX - 1, i64::MIN, i64::MIN + 1])?),
        _ => bytes.int_in_range(-10..=20_000),
    }
}

fn letter(bytes: &mut Unstructured<'_>) -> Result<String> {
    Ok((*bytes.choose(&["a", "b", "c", "À", "à", ""])?).to_owned())
}

fn sex(bytes: &mut Unstructured<'_>) -> Result<Sex> {
    Ok(match bytes.arbitrary()? {
        true => Sex::Female,
        false => Sex::Male,
    })
}

fn date(bytes: &mut Unstructured<'_>) -> Result<Date> {
    let year = match bytes.ratio(1, 32)? {
        true => bytes.int_in_range(-9_999..=9_999)?,
        false => bytes.int_in_range(1_935..=2_018)?,
    };
    let (month, day) = (bytes.int_in_range(1..=12)?, bytes.int_in_range(1..=28)?);
    Date::new(year, month, day).map_err(|_| Error::IncorrectFormat)
}
