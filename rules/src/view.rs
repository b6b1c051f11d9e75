//! An entrant as conditions see it: small, copied freely, so that a fact can be set otherwise and the price asked again.

use std::sync::Arc;

use domain::{
    Answers, Currency, Entrant, FactName, Federation, Grade, Instants, Level, Licence, Player, Sex,
    Taken, Team, Title, UtcTime, fold_name,
};
use jiff::civil::Date;

pub(crate) use crate::fact_set::{FactSet, LIMITS, QUESTIONS};
use crate::fees::MOST;
use crate::terms::{GroupedBy, Question};

/// The grade that a row asks of the facts it reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Trust {
    Declared,
    Listed,
    Checked,
}

/// Codes that a regulation names; each is known by its position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    pub licences: Vec<Licence>,
    pub federations: Vec<Federation>,
    /// Folded.
    pub clubs: Vec<String>,
    /// Codes that the organiser gives out, by their labels.
    pub codes: Vec<String>,
    /// What the organiser asks.
    pub questions: Vec<Question>,
    /// Limited rows, and how many entries may have each.
    pub limits: Vec<Limit>,
    /// What makes entrants one group, where a price counts them.
    pub grouped_by: Option<GroupedBy>,
    pub currencies: Vec<Currency>,
}

impl Vocabulary {
    /// The place of a currency; [`OTHER`] where no row is in it.
    pub(crate) fn place_of(&self, currency: Currency) -> u8 {
        position(&self.currencies, &currency)
    }

    /// The bits of the limited rows of which nothing is left.
    pub(crate) fn spent(&self, taken: &Taken) -> u8 {
        let limits = self.limits.iter().enumerate();
        limits
            .filter(|(_, limit)| {
                taken
                    .get(&*limit.rule)
                    .is_some_and(|taken| *taken >= limit.first)
            })
            .fold(0, |bits, (place, _)| bits | 1 << place)
    }
}

/// A row that only the first entries may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Limit {
    pub rule: Arc<str>,
    pub first: u32,
}

/// Stands for a federation or club that the regulation does not name.
pub(crate) const OTHER: u8 = u8::MAX;
/// The bit of a licence that the regulation does not name.
pub(crate) const OTHER_LICENCE: u64 = 1 << 63;
/// What stands for a question that is not answered, or not by one of its answers.
pub(crate) const UNANSWERED: i32 = -1;
/// How many codes of a kind a regulation may name.
pub(crate) const CODES: usize = 60;

/// What is answered, by question: 0 or 1, the number, or the place of the choice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Replies(pub [i32; QUESTIONS]);

impl Replies {
    const NONE: Replies = Replies([UNANSWERED; QUESTIONS]);

    pub(crate) fn to(&self, place: u8) -> i32 {
        self.0
            .get(usize::from(place))
            .copied()
            .unwrap_or(UNANSWERED)
    }
}

/// The facts of one entrant at one instant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct View {
    /// Facts that are known, and those among them that are listed or checked, and checked.
    pub known: [FactSet; 3],
    pub at: Instants,
    pub sex: Sex,
    pub birth: Date,
    pub federation: u8,
    pub title: Option<Title>,
    pub rating: Option<u16>,
    /// A bit for each licence that the regulation names, and one for any other.
    pub licences: u64,
    pub disability: bool,
    /// Invited, and not by a code that the regulation names.
    pub invited: bool,
    /// The code that the regulation names.
    pub code: u8,
    pub previous: bool,
    pub agreed: Option<i64>,
    pub club: u8,
    pub players: u32,
    pub girls: u32,
    /// A bit for each level that somebody of the roster attends.
    pub levels: u8,
    pub coach: bool,
    pub answers: Replies,
    /// A bit for each limited row of which nothing is left.
    pub spent: u8,
    /// How many there are of the entrant's group, this one included, and what makes the group.
    pub members: u32,
    pub grouped_by: Option<GroupedBy>,
    /// How many entries the order has, this one included.
    pub in_order: u32,
    /// The entry's place among its group, and in its order, from 1.
    pub place: u32,
    pub place_in_order: u32,
    /// The place of the currency in which they pay.
    pub currency: u8,
}

impl View {
    /// Nobody in particular: an adult of no federation that is named, without title, rating or licence.
    pub(crate) fn nobody(at: UtcTime) -> View {
        View {
            known: [FactSet::ALL; 3],
            at: Instants::of(at, None, None),
            sex: Sex::Male,
            birth: Date::constant(1, 1, 1),
            federation: OTHER,
            title: None,
            rating: None,
            licences: 0,
            disability: false,
            invited: false,
            code: OTHER,
            previous: false,
            agreed: None,
            club: OTHER,
            players: 0,
            girls: 0,
            levels: 0,
            coach: false,
            answers: Replies::NONE,
            spent: 0,
            members: 1,
            grouped_by: None,
            in_order: 1,
            place: 1,
            place_in_order: 1,
            currency: 0,
        }
    }

    /// An entrant's facts, who pays in this currency.
    pub(crate) fn of(
        vocabulary: &Vocabulary,
        currency: Currency,
        entrant: &Entrant,
        at: Instants,
    ) -> View {
        let mut view = match entrant {
            Entrant::Player(player) => View::of_player(vocabulary, player),
            Entrant::Team(team) => View::of_team(team),
        };
        view.at = at;
        view.grouped_by = vocabulary.grouped_by;
        view.answers = answers(vocabulary, entrant.answers());
        let mut known = [FactSet::ALL, FactSet::GIVEN, FactSet::GIVEN];
        for (fact, grade) in entrant.grades() {
            let fact = FactSet::of(*fact);
            match grade {
                Grade::Declared => {}
                Grade::Listed { .. } => known[1] = known[1].union(fact),
                Grade::Checked { .. } => {
                    known[1] = known[1].union(fact);
                    known[2] = known[2].union(fact);
                }
            }
        }
        view.known = known;
        view.in_currency(vocabulary, currency, entrant)
    }

    /// The same entrant, who pays in this currency; a price agreed in another one, or out of reach, is none.
    pub(crate) fn in_currency(
        mut self,
        vocabulary: &Vocabulary,
        currency: Currency,
        entrant: &Entrant,
    ) -> View {
        self.currency = vocabulary.place_of(currency);
        let agreed = match entrant {
            Entrant::Player(player) => player.agreed_price,
            Entrant::Team(_) => None,
        };
        self.agreed = agreed
            .filter(|price| price.currency == currency && (0..=MOST).contains(&price.amount))
            .map(|price| price.amount);
        self
    }

    fn of_player(vocabulary: &Vocabulary, player: &Player) -> View {
        let federation = position(&vocabulary.federations, &player.federation);
        let club = match &player.club {
            Some(club) if !vocabulary.clubs.is_empty() => {
                position(&vocabulary.clubs, &fold_name(club))
            }
            _ => OTHER,
        };
        let code = code(vocabulary, player);
        View {
            sex: player.sex,
            birth: player.birth_date,
            federation,
            title: player.title,
            rating: player.rating,
            licences: player.licences.iter().fold(0, |bits, licence| {
                bits | licence_bit(position(&vocabulary.licences, licence))
            }),
            disability: player.disability,
            invited: player.invited && code == OTHER,
            code,
            previous: player.previous_participant,
            club,
            ..View::nobody(UtcTime::from_micros(0))
        }
    }

    fn of_team(team: &Team) -> View {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let girls = team.roster.iter().filter(|pupil| pupil.sex == Sex::Female);
        View {
            players: count(team.roster.len()),
            girls: count(girls.count()),
            levels: team
                .roster
                .iter()
                .fold(0, |bits, pupil| bits | level_bit(pupil.level)),
            coach: team
                .coach
                .as_deref()
                .is_some_and(|coach| !coach.trim().is_empty()),
            ..View::nobody(UtcTime::from_micros(0))
        }
    }

    /// Whether there can be somebody such: no money arrives before it is paid, and nobody comes after more than there are.
    pub(crate) fn may_be(&self) -> bool {
        let both = |one: FactSet, other| self.known[0].has(one.union(other));
        let in_time = !self.known[0].has(FactSet::OF_MONEY) || self.at.paid <= self.at.received;
        let in_group = !both(FactSet::MEMBERS, FactSet::PLACE) || self.place <= self.members;
        let in_order = !both(FactSet::IN_ORDER, FactSet::PLACE_IN_ORDER)
            || self.place_in_order <= self.in_order;
        in_time && in_group && in_order
    }

    /// Facts that are known, but only by the entrant's own word.
    pub(crate) fn declared(&self) -> FactSet {
        self.known[0].without(self.known[1])
    }

    /// The same view with some facts as another one has them.
    pub(crate) fn with(mut self, facts: FactSet, other: &View) -> View {
        for fact in facts.names() {
            self.take(fact, facts, other);
        }
        if facts.has(FactSet::REGISTERED) {
            self.at.registered = other.at.registered;
        }
        if facts.has(FactSet::PAID) {
            self.at.paid = other.at.paid;
        }
        if facts.has(FactSet::RECEIVED) {
            self.at.received = other.at.received;
        }
        if facts.has(FactSet::MEMBERS) {
            self.members = other.members;
        }
        if facts.has(FactSet::IN_ORDER) {
            self.in_order = other.in_order;
        }
        if facts.has(FactSet::PLACE) {
            self.place = other.place;
        }
        if facts.has(FactSet::PLACE_IN_ORDER) {
            self.place_in_order = other.place_in_order;
        }
        for place in 0..LIMITS as u8 {
            if facts.has(FactSet::of_limit(place)) {
                let bit = 1 << place;
                self.spent = self.spent & !bit | other.spent & bit;
            }
        }
        self
    }

    /// Whose club is not believed is alone in it.
    fn leave(&mut self, group: GroupedBy) {
        if self.grouped_by == Some(group) {
            (self.members, self.place) = (1, 1);
        }
    }

    fn take(&mut self, fact: FactName, facts: FactSet, other: &View) {
        match fact {
            FactName::Answers => {
                for place in facts.questions().map(usize::from) {
                    self.answers.0[place] = other.answers.0[place];
                }
            }
            FactName::Sex => self.sex = other.sex,
            FactName::BirthDate => self.birth = other.birth,
            FactName::Federation => {
                self.federation = other.federation;
                self.leave(GroupedBy::Federation);
            }
            FactName::Title => self.title = other.title,
            FactName::Rating => self.rating = other.rating,
            FactName::Licences => self.licences = other.licences,
            FactName::Disability => self.disability = other.disability,
            FactName::Invited => (self.invited, self.code) = (other.invited, other.code),
            FactName::PreviousParticipant => self.previous = other.previous,
            FactName::AgreedPrice => self.agreed = other.agreed,
            FactName::Club => {
                self.club = other.club;
                self.leave(GroupedBy::Club);
            }
            FactName::Coach => self.coach = other.coach,
            FactName::Institution | FactName::Roster => {
                (self.players, self.girls, self.levels) =
                    (other.players, other.girls, other.levels);
            }
        }
    }
}

/// The code that a player was let in with, if the regulation names it by its label.
fn code(vocabulary: &Vocabulary, player: &Player) -> u8 {
    match player.grades.get(&FactName::Invited) {
        Some(Grade::Checked { by }) if player.invited => {
            by.strip_prefix("code:").map_or(OTHER, |label| {
                position(&vocabulary.codes, &label.to_owned())
            })
        }
        _ => OTHER,
    }
}

fn answers(vocabulary: &Vocabulary, given: &Answers) -> Replies {
    let mut answers = Replies::NONE;
    for (question, answer) in vocabulary.questions.iter().zip(&mut answers.0) {
        let given = given.0.get(&question.id);
        *answer = given
            .and_then(|text| question.kind.read(text))
            .unwrap_or(UNANSWERED);
    }
    answers
}

fn position<T: PartialEq>(named: &[T], code: &T) -> u8 {
    let found = named.iter().position(|name| name == code);
    found.map_or(OTHER, |place| u8::try_from(place).unwrap_or(OTHER))
}

/// The bit of a licence by its position.
pub(crate) fn licence_bit(position: u8) -> u64 {
    if position == OTHER {
        return OTHER_LICENCE;
    }
    1u64.checked_shl(position.into()).unwrap_or(OTHER_LICENCE)
}

/// The bit of a level.
pub(crate) fn level_bit(level: Level) -> u8 {
    1 << level as u8
}
