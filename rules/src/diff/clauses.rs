//! What two regulations say, line by line as `show` says it, so that no clause can be left out.

use std::collections::{BTreeMap, HashMap, VecDeque};

use serde::Serialize;

use crate::Regulation;
use crate::show::{Part, said};

/// Something that two regulations say otherwise, in plain English.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ClauseChange {
    /// What it is of (`entry`, `fees`, `byes`).
    pub part: String,
    /// Which line of it; empty for what is said of the part as a whole.
    pub name: String,
    /// What the first one says; none where it says nothing. Where both say the same, the line stands elsewhere: order counts.
    pub before: Option<String>,
    /// What the second one says.
    pub after: Option<String>,
}

/// Every line that only one of them says, or that stands elsewhere, in the order of the lines.
#[must_use]
pub fn clauses(before: &Regulation, after: &Regulation) -> Vec<ClauseChange> {
    let (before, after) = (said(before), said(after));
    let (before, after) = (lines(&before), lines(&after));
    let stay = stay(&before, &after);
    // Each new line by its names, with the place in the first text before which it stands.
    let mut new: BTreeMap<_, VecDeque<_>> = BTreeMap::new();
    let (mut at, mut staying) = (0, stay.iter().peekable());
    for (place, line) in after.iter().enumerate() {
        match staying.next_if(|(_, other)| *other == place) {
            Some((own, _)) => at = own + 1,
            None => {
                let lines = new.entry((line.part, line.name)).or_default();
                lines.push_back(((at, place + 1), line));
            }
        }
    }
    let mut found = Vec::new();
    let mut staying = stay.iter().map(|(own, _)| *own).peekable();
    for (place, line) in before.iter().enumerate() {
        if staying.next_if_eq(&place).is_none() {
            let others = new.get_mut(&(line.part, line.name));
            let other = others.and_then(VecDeque::pop_front);
            let change = line.change(other.map(|(_, other)| other));
            found.push(((place, 0), change));
        }
    }
    let new = new.into_values().flatten();
    found.extend(new.map(|(at, line)| (at, line.told(None, Some(line.said.to_owned())))));
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, change)| change).collect()
}

#[derive(PartialEq, Eq, Hash)]
struct Line<'p> {
    part: &'p str,
    name: &'p str,
    said: &'p str,
    beside: &'p str,
}

fn lines(parts: &[Part]) -> Vec<Line<'_>> {
    let lines = parts.iter().flat_map(|part| {
        let line = |name, said, beside| Line {
            part: &part.of,
            name,
            said,
            beside,
        };
        // A title that only names its part says nothing.
        let title = (part.title != part.of).then(|| line("", part.title.as_str(), ""));
        let lines = part.lines.iter();
        let lines = lines.map(move |one| line(&one.name, &one.said, &one.beside));
        title.into_iter().chain(lines)
    });
    lines.collect()
}

impl Line<'_> {
    fn told(&self, before: Option<String>, after: Option<String>) -> ClauseChange {
        ClauseChange {
            part: self.part.to_owned(),
            name: self.name.to_owned(),
            before,
            after,
        }
    }

    /// What became of it, as far as it is different.
    fn change(&self, after: Option<&Line<'_>>) -> ClauseChange {
        let Some(after) = after else {
            return self.told(Some(self.said.to_owned()), None);
        };
        let [before, after] = match (self.said == after.said, self.beside == after.beside) {
            (_, true) => [self.said, after.said].map(str::to_owned),
            (true, false) => [self.beside, after.beside].map(str::to_owned),
            (false, false) => [self, after].map(|line| format!("{}; {}", line.said, line.beside)),
        };
        self.told(Some(before), Some(after))
    }
}

/// The most lines that both have in the same order: the places of each.
fn stay(before: &[Line<'_>], after: &[Line<'_>]) -> Vec<(usize, usize)> {
    let mut places: HashMap<_, VecDeque<_>> = HashMap::new();
    for (place, line) in after.iter().enumerate() {
        places.entry(line).or_default().push_back(place);
    }
    let common = before.iter().enumerate().filter_map(|(own, line)| {
        let place = places.get_mut(line)?.pop_front()?;
        Some((own, place))
    });
    let common: Vec<(usize, usize)> = common.collect();
    // For each length the lowest end of a run of so many that goes up, and before each the one that it goes on from.
    let (mut ends, mut from): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (one, (_, place)) in common.iter().enumerate() {
        let shorter = ends.partition_point(|end| common[*end].1 < *place);
        from.push(shorter.checked_sub(1).map(|last| ends[last]));
        if shorter == ends.len() {
            ends.push(one);
        } else {
            ends[shorter] = one;
        }
    }
    let run = std::iter::successors(ends.last().copied(), |one| from[*one]);
    let mut run: Vec<(usize, usize)> = run.map(|one| common[one]).collect();
    run.reverse();
    run
}
