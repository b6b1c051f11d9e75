//! What the entrants of a section who pay in one currency are told apart by: the conditions that reach it, and the values of facts between them.

use domain::FactName;

use crate::Regulation;
use crate::boundaries::Boundaries;
use crate::classes::Classes;
use crate::clauses::Admission;
use crate::conditions::{Condition, FactSet, Trust, View};
use crate::fees::{Adjustment, Fees, Same};
use crate::terms::{EntrantKind, QuestionKind};
use crate::view::UNANSWERED;

/// A section with the values of each fact that its conditions read.
pub(crate) struct Ground<'r> {
    pub fees: &'r Fees,
    pub section: usize,
    pub currency: u8,
    /// The conditions of entry that are asked.
    pub admissions: Vec<&'r Admission>,
    pub classes: Vec<(FactSet, Vec<View>)>,
    /// Somebody of whom nothing is known but what is the same for all.
    pub nobody: View,
}

/// What no condition can find different in a team, or in a player.
pub(crate) fn fixed(kind: EntrantKind) -> FactSet {
    let of_team = FactSet::of(FactName::Institution)
        .union(FactSet::of(FactName::Coach))
        .union(FactSet::of(FactName::Roster));
    match kind {
        EntrantKind::Player => of_team,
        EntrantKind::Team => FactName::ALL
            .into_iter()
            .filter(|fact| *fact != FactName::Answers)
            .fold(FactSet::EMPTY, |facts, fact| facts.union(FactSet::of(fact)))
            .without(of_team),
    }
}

impl<'r> Ground<'r> {
    /// All entrants to a section who pay in this currency, whenever its entry is open.
    pub(crate) fn of(regulation: &'r Regulation, section: usize, currency: u8) -> Ground<'r> {
        let mut nobody = View::nobody(regulation.play.begins);
        nobody.currency = currency;
        nobody.known[0] = fixed(regulation.sections[section].kind);
        let admissions = regulation.admissions.iter();
        let mut ground = Ground {
            fees: &regulation.fees,
            section,
            currency,
            admissions: admissions.filter(|row| row.covers(section)).collect(),
            classes: Vec::new(),
            nobody,
        };
        let conditions = ground.conditions();
        let all = || conditions.iter().map(|(condition, _)| *condition);
        let boundaries = Boundaries::of(all());
        let classes = Classes::of(all(), &regulation.vocabulary)
            .during(&instants(regulation, &boundaries), &boundaries);
        ground.classes = classes.by_fact;
        for (facts, values) in &mut ground.classes {
            counted(regulation, section, *facts, values);
            possible(regulation, section, *facts, values);
            graded(&conditions, *facts, values);
        }
        ground
    }

    /// Every condition that matters here, with the grade that it asks of its facts.
    fn conditions(&self) -> Vec<(&'r Condition, Trust)> {
        let fees = self.fees;
        let rows = fees.rows.iter();
        let rows = rows.filter(|row| row.amounts[self.section].is_some());
        let rows = rows.map(|row| (&row.when, row.trust));
        let adjustments = fees.adjustments();
        let adjustments = adjustments.filter(|row| row.changes[self.section].is_some());
        let adjustments = adjustments.filter(|row| row.is_in(self.currency));
        let adjustments = adjustments.map(|row| (&row.when, row.trust));
        let admissions = self.admissions.iter();
        let admissions =
            admissions.flat_map(|row| [(&row.when, row.trust), (&row.needs, row.trust)]);
        let promotions = fees.promotions.iter();
        let promotions = promotions.filter(|row| row.sections.contains(&self.section));
        let promotions = promotions.filter_map(|row| match &row.same {
            Same::Person { when, trust, .. } => Some((when, *trust)),
            Same::Institution { .. } => None,
        });
        let rows = rows.chain(adjustments).chain(promotions);
        rows.chain(admissions).collect()
    }

    /// The place of the first of these facts that has classes.
    pub(crate) fn place(&self, facts: FactSet) -> Option<usize> {
        self.classes.iter().position(|(of, _)| facts.has(*of))
    }

    /// The same class with one fact more known; nothing where nobody can be such.
    pub(crate) fn with(&self, view: &View, place: usize, value: usize) -> Option<View> {
        let (of, values) = &self.classes[place];
        let value = values.get(value)?;
        let mut class = view.with(*of, value);
        class.known[0] = class.known[0].union(*of);
        for grade in 1..3 {
            if !value.known[grade].has(*of) {
                class.known[grade] = class.known[grade].without(*of);
            }
        }
        class.may_be().then_some(class)
    }
}

/// How many answers a sum may be multiplied by to be looked at one by one.
const ANSWERS: i32 = 1_000;

/// Whether a sum of an adjustment is multiplied by more different answers than are looked at.
pub(crate) fn is_sampled(regulation: &Regulation, row: &Adjustment) -> bool {
    row.times
        .is_some_and(|place| answers(regulation, place).is_none())
}

/// Every answer to a question of a number, where they are few enough.
fn answers(regulation: &Regulation, place: u8) -> Option<std::ops::RangeInclusive<i32>> {
    let question = regulation.vocabulary.questions.get(usize::from(place))?;
    match question.kind {
        QuestionKind::Number { from, to } if to - from <= ANSWERS => Some(from..=to),
        _ => None,
    }
}

/// Where a sum is multiplied by an answer, each answer is a class of its own.
fn counted(regulation: &Regulation, section: usize, facts: FactSet, values: &mut Vec<View>) {
    let adjustments = regulation.fees.adjustments();
    let mut here = adjustments.filter(|row| row.changes[section].is_some());
    let place = here.find_map(|row| {
        row.times
            .filter(|place| facts == FactSet::of_question(*place))
    });
    let (Some(place), Some(first)) = (place, values.first().copied()) else {
        return;
    };
    let Some(answers) = answers(regulation, place) else {
        return;
    };
    *values = std::iter::once(UNANSWERED)
        .chain(answers)
        .map(|answer| {
            let mut view = first;
            view.answers.0[usize::from(place)] = answer;
            view
        })
        .collect();
}

/// Leaves out what no entrant of the section can come with: no answer where one is required, money after its deadline.
fn possible(regulation: &Regulation, section: usize, facts: FactSet, values: &mut Vec<View>) {
    let id = &regulation.sections[section].id;
    for (place, question) in (0..).zip(&regulation.vocabulary.questions) {
        let asked = question.sections.is_empty() || question.sections.contains(id);
        if facts == FactSet::of_question(place) && question.required && asked {
            values.retain(|view| view.answers.to(place) != UNANSWERED);
        }
    }
    if let (FactSet::PAID, Some(pay_by)) = (facts, regulation.entry.pay_by) {
        let first = values.first().copied();
        values.retain(|view| view.at.paid < pay_by);
        if let (true, Some(mut in_time)) = (values.is_empty(), first) {
            in_time.at.paid = pay_by.plus_seconds(-1);
            values.push(in_time);
        }
    }
}

/// Where a row asks for a fact that is better than declared, each value comes at a lower grade too.
fn graded(conditions: &[(&Condition, Trust)], facts: FactSet, values: &mut Vec<View>) {
    // Of an invitation or an agreed price nobody's own word counts anyhow, and nobody says the instants.
    let never = FactSet::of(FactName::Invited)
        .union(FactSet::of(FactName::AgreedPrice))
        .union(FactSet::GIVEN);
    if never.has(facts) {
        return;
    }
    let all = values.clone();
    for trust in [Trust::Listed, Trust::Checked] {
        let mut reading = conditions.iter().filter(|(_, asked)| *asked == trust);
        if reading.any(|(condition, _)| condition.reads().has(facts)) {
            values.extend(all.iter().map(|view| {
                let mut lower = *view;
                for known in &mut lower.known[trust as usize..] {
                    *known = known.without(facts);
                }
                lower
            }));
        }
    }
}

/// One instant of each stretch of the entry window between the instants that rows name.
fn instants(regulation: &Regulation, boundaries: &Boundaries) -> Vec<domain::UtcTime> {
    let boundaries = &boundaries.registered;
    let window = regulation.entry.window;
    let end = window.before.unwrap_or(regulation.play.begins);
    let first = boundaries.first().copied().unwrap_or(end).min(end);
    let start = window.from.unwrap_or(first.plus_seconds(-1));
    let later = boundaries.iter().copied().filter(|at| *at > start);
    let inside = later.filter(|at| window.holds(*at));
    std::iter::once(start).chain(inside).collect()
}
