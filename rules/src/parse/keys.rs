//! The keys of the language, and the one that a misspelt key is likely to be.

/// Every key that some table takes. Those that a file makes up (of `[who]`, of sections, of answers) are not among them.
pub(super) const KEYS: [&str; 124] = [
    "above",
    "accepts",
    "adjust",
    "admits",
    "after",
    "age",
    "ages",
    "agreed_price",
    "all",
    "amount",
    "answer",
    "any",
    "appeal",
    "approval",
    "article",
    "back",
    "before",
    "before_start",
    "begins",
    "boards",
    "born",
    "bye_in",
    "byes",
    "ca",
    "capacity",
    "choices",
    "choose",
    "closes",
    "club",
    "coach",
    "code",
    "combine",
    "consent",
    "currencies",
    "currency",
    "deposit",
    "disability",
    "effective",
    "en",
    "ends",
    "entrants",
    "entry",
    "es",
    "federation",
    "fees",
    "first",
    "from",
    "girls",
    "hold",
    "id",
    "in_order",
    "invited",
    "keep",
    "language",
    "last",
    "least",
    "leaves_out",
    "levels",
    "licence",
    "members",
    "method",
    "methods",
    "most",
    "name",
    "needs",
    "not",
    "number",
    "of",
    "off",
    "on",
    "once_per",
    "opens",
    "order",
    "organiser_may",
    "paid",
    "pay_by",
    "pay_to",
    "payment",
    "percent",
    "place",
    "play",
    "players",
    "points",
    "prevails",
    "previous_participant",
    "promotion",
    "proof",
    "question",
    "rating",
    "received",
    "refund",
    "registered",
    "requested",
    "required",
    "round_to",
    "rounds",
    "row",
    "rule",
    "same",
    "seats",
    "section",
    "sections",
    "sex",
    "shared_players",
    "slip_with_entry",
    "stage",
    "text",
    "tier",
    "time_zone",
    "times",
    "title",
    "to",
    "together",
    "under",
    "unpaired",
    "unrated",
    "until",
    "until_start",
    "warn_at",
    "weekday",
    "when",
    "when_full",
    "who",
    "within",
];

/// The keys of a condition.
pub(super) const FACTS: [&str; 28] = [
    "age",
    "agreed_price",
    "all",
    "answer",
    "any",
    "born",
    "club",
    "coach",
    "code",
    "disability",
    "federation",
    "girls",
    "in_order",
    "invited",
    "levels",
    "licence",
    "members",
    "not",
    "paid",
    "place",
    "players",
    "previous_participant",
    "rating",
    "received",
    "registered",
    "sex",
    "title",
    "unrated",
];

/// What to say of a key that is near a known one: with one letter in three wrong, missing, too many, or swapped with the
/// next. Nothing where none is near.
pub(super) fn suggestion<'w>(key: &str, known: impl IntoIterator<Item = &'w str>) -> String {
    nearest(key, known).map_or_else(String::new, |word| format!("; is it `{word}`?"))
}

/// The known word that another one is near to, if it is none of them.
pub(crate) fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let near = known.into_iter().map(|known| (wrong(word, known), known));
    let near = near.filter(|(wrong, known)| *wrong > 0 && wrong * 3 <= known.len().max(3));
    near.min().map(|(_, known)| known)
}

/// How many letters have to be changed, put in, left out or swapped with the next to make one word of the other.
fn wrong(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, letter) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, wanted) in other.iter().enumerate() {
            let changed = rows[i][j] + usize::from(letter != wanted);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *wanted {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    fn keys(schema: &Value, found: &mut BTreeSet<String>) {
        for (name, value) in schema.as_object().into_iter().flatten() {
            if name == "properties" {
                found.extend(
                    value
                        .as_object()
                        .into_iter()
                        .flatten()
                        .map(|(key, _)| key.clone()),
                );
            }
            keys(value, found);
        }
        for member in schema.as_array().into_iter().flatten() {
            keys(member, found);
        }
    }

    #[test]
    fn the_schema_has_the_same_keys() {
        let schema = include_str!("../../../docs/regulation.schema.json");
        let schema: Value = serde_json::from_str(schema).unwrap();
        let mut found = BTreeSet::new();
        keys(&schema, &mut found);
        assert_eq!(found, KEYS.iter().map(|key| (*key).to_owned()).collect());
        let mut of_conditions = BTreeSet::new();
        keys(&schema["$defs"]["condition"], &mut of_conditions);
        for fact in FACTS {
            assert!(of_conditions.contains(fact), "{fact}");
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_known_and_another_word_is_not() {
        assert_eq!(suggestion("hodl", KEYS), "; is it `hold`?");
        assert_eq!(suggestion("ammount", KEYS), "; is it `amount`?");
        assert_eq!(
            suggestion("previous_participent", KEYS),
            "; is it `previous_participant`?"
        );
        assert_eq!(suggestion("price", KEYS), "");
        assert_eq!(suggestion("hold", ["hold"]), "");
    }
}
