//! Answers to the organiser's own questions.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use crate::IdError;

/// Answers to the organiser's own questions, by the question's id: `true` or `false`, a whole number, or the id of a
/// choice. What is not answered is not there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default, Serialize)]
#[serde(transparent)]
pub struct Answers(pub BTreeMap<String, String>);

impl Answers {
    /// Whether nothing is answered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// `member=true,editions=5`.
impl fmt::Display for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (question, answer)) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(f, "{comma}{question}={answer}")?;
        }
        Ok(())
    }
}

impl FromStr for Answers {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let pairs = text.split(',').map(str::trim).filter(|t| !t.is_empty());
        let pair = |text: &str| {
            let refuse = || IdError {
                kind: "answers",
                text: text.chars().take(40).collect(),
            };
            let (question, answer) = text.split_once('=').ok_or_else(refuse)?;
            Ok((question.trim().to_owned(), answer.trim().to_owned()))
        };
        pairs.map(pair).collect::<Result<_, _>>().map(Answers)
    }
}

/// JSON may write an answer as the value that it is: `true`, `5` or `"czk"`.
impl<'de> Deserialize<'de> for Answers {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "true, false, a whole number or a text")]
        enum Value {
            Yes(bool),
            Number(i64),
            Choice(String),
        }
        let given = BTreeMap::<String, Value>::deserialize(from)?;
        let text = |value| match value {
            Value::Yes(yes) => yes.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Choice(choice) => choice,
        };
        let answers = given.into_iter();
        let answers = answers.map(|(question, value)| (question, text(value)));
        Ok(Answers(answers.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_json_and_as_text() {
        let json = r#"{"member":true,"editions":5,"pays":"czk"}"#;
        let read: Answers = serde_json::from_str(json).unwrap();
        assert_eq!(read.to_string(), "editions=5,member=true,pays=czk");
        assert_eq!(read.to_string().parse::<Answers>().unwrap(), read);
        let again = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<Answers>(&again).unwrap(), read);
        for wrong in [
            r#"{"member":1.5}"#,
            r#"{"member":[true]}"#,
            r#"{"member":null}"#,
        ] {
            assert!(serde_json::from_str::<Answers>(wrong).is_err(), "{wrong}");
        }
        assert!("member".parse::<Answers>().is_err());
    }
}
