//! The sentences of the mails: Fluent files in three languages, built in.

use std::sync::LazyLock;

use domain::{Language, Money};
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};

type Bundle = FluentBundle<FluentResource>;

static CA: LazyLock<Bundle> =
    LazyLock::new(|| bundle("ca", include_str!("../../locales/ca/mail.ftl")));
static ES: LazyLock<Bundle> =
    LazyLock::new(|| bundle("es", include_str!("../../locales/es/mail.ftl")));
static EN: LazyLock<Bundle> =
    LazyLock::new(|| bundle("en", include_str!("../../locales/en/mail.ftl")));

fn of(language: Language) -> &'static Bundle {
    match language {
        Language::Ca => &CA,
        Language::Es => &ES,
        Language::En => &EN,
    }
}

/// What cannot be read of a file is left out; the test below finds it.
fn bundle(code: &str, source: &str) -> Bundle {
    let mut bundle = Bundle::new_concurrent(code.parse().into_iter().collect());
    // No marks of direction around names: the three languages are written in one.
    bundle.set_use_isolating(false);
    let resource = match FluentResource::try_new(source.to_owned()) {
        Ok(resource) => resource,
        Err((resource, faults)) => {
            tracing::error!(code, ?faults, "a file of mail sentences has faults");
            resource
        }
    };
    bundle.add_resource_overriding(resource);
    bundle
}

/// The sentences of one language with the values that they may name.
pub(crate) struct Words<'a> {
    language: Language,
    values: FluentArgs<'a>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(language: Language) -> Self {
        Words {
            language,
            values: FluentArgs::new(),
        }
    }

    /// Names a value for the sentences.
    pub(crate) fn set(&mut self, name: &'a str, value: String) {
        self.values.set(name, value);
    }

    /// The sentence `message`, or its attribute as `message.attribute`.
    pub(crate) fn say(&self, name: &str) -> String {
        match self.find(name) {
            Ok(sentence) => sentence,
            Err(fault) => {
                tracing::error!(
                    name,
                    language = self.language.code(),
                    fault,
                    "a mail sentence is at fault"
                );
                name.to_owned()
            }
        }
    }

    fn find(&self, name: &str) -> Result<String, String> {
        let bundle = of(self.language);
        let (message, attribute) = match name.split_once('.') {
            Some((message, attribute)) => (message, Some(attribute)),
            None => (name, None),
        };
        let message = bundle.get_message(message).ok_or("there is none")?;
        let pattern = match attribute {
            Some(attribute) => message.get_attribute(attribute).map(|a| a.value()),
            None => message.value(),
        };
        let mut faults = Vec::new();
        let pattern = pattern.ok_or("there is none")?;
        let sentence = bundle.format_pattern(pattern, Some(&self.values), &mut faults);
        match faults.first() {
            Some(fault) => Err(fault.to_string()),
            None => Ok(sentence.into_owned()),
        }
    }

    /// A sum as the language writes it.
    pub(crate) fn sum(&self, money: Money) -> String {
        money.in_language(self.language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The ids of a file, each with its attributes, as the file has them.
    fn names(source: &str) -> BTreeSet<String> {
        let mut message = "";
        let mut names = BTreeSet::new();
        for line in source.lines() {
            let Some((left, _)) = line.split_once('=') else {
                continue;
            };
            let name = left.trim();
            if let Some(attribute) = name.strip_prefix('.') {
                names.insert(format!("{message}.{attribute}"));
            } else if !line.starts_with([' ', '#']) {
                message = name;
                names.insert(message.to_owned());
            }
        }
        names
    }

    #[test]
    fn the_three_languages_say_the_same_things() {
        let sources = [
            include_str!("../../locales/ca/mail.ftl"),
            include_str!("../../locales/es/mail.ftl"),
            include_str!("../../locales/en/mail.ftl"),
        ];
        for source in sources {
            assert!(FluentResource::try_new(source.to_owned()).is_ok());
            assert_eq!(names(source), names(sources[2]));
        }
    }
}
