//! A draft as the text of a file, in the order of the tables that `docs/regulation-language.md` has.

use std::fmt::{Display, Write};

use domain::Text;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::{Draft, words};

/// The column of the comments, as in the real files.
const COLUMN: usize = 48;

const HEAD: &str = "\
# A first draft, made of a few answers. What is marked TODO is still to be written: above all the article of the bases that
# each row comes from. Where the bases leave room, a comment should say which reading was taken.
";

const ADMITS: &str = r#"
# Who may enter any section, where not everybody may:
# [[admits]]
# needs   = { licence = "FIDE" }
# article = ""
"#;

const BYES: &str = r#"
# Without this, no bye may be asked for:
# [byes]
# article = ""
# [[byes.rule]]
# points = "half"                               # or "zero"
# rounds = { from = 1, to = 5 }
# most   = 2
"#;

/// Beside each article.
const WHERE: &str = "TODO: where the bases say it";

pub(super) struct Page<'d> {
    pub(super) draft: &'d Draft,
    text: String,
}

impl Page<'_> {
    pub(super) fn of(draft: &Draft) -> String {
        let text = HEAD.to_owned();
        let mut page = Page { draft, text };
        page.head();
        page.play();
        page.entry();
        page.payment();
        page.seats();
        page.sections();
        page.fees();
        page.reductions();
        page.refund();
        page.text.push_str(BYES);
        page.table("[[consent]]", "what who enters must accept");
        page.line(r#"id       = "bases""#);
        page.line("required = true");
        page.told(r#"article  = """#, WHERE);
        page.line(format_args!("text     = {}", sentence(&words::bases())));
        page.text
    }

    pub(super) fn line(&mut self, text: impl Display) {
        let _ = writeln!(self.text, "{text}");
    }

    pub(super) fn told(&mut self, text: impl Display, comment: &str) {
        let text = text.to_string();
        let _ = writeln!(
            self.text,
            "{text:<width$}# {comment}",
            width = COLUMN.max(text.len() + 1)
        );
    }

    pub(super) fn table(&mut self, title: &str, comment: &str) {
        self.text.push('\n');
        self.told(title, comment);
    }

    pub(super) fn article(&mut self) {
        self.told(r#"article = """#, WHERE);
    }

    fn head(&mut self) {
        let draft = self.draft;
        let name = quoted(&draft.name);
        self.text.push('\n');
        self.line("language  = 1");
        self.told(
            format_args!("id        = \"{}\"", draft.id),
            "by which orders and addresses name it: never changed",
        );
        self.told(
            format_args!(
                "time_zone = \"{}\"",
                draft.zone.iana_name().unwrap_or("UTC")
            ),
            "every date and time below is local time there",
        );
        self.line(format_args!("currency  = \"{}\"", draft.currency));
        self.table("[name]", "TODO: what each language calls it");
        for language in ["ca", "es", "en"] {
            self.line(format_args!("{language} = {name}"));
        }
    }

    fn play(&mut self) {
        let draft = self.draft;
        self.table("[play]", "when it is played");
        self.line(format_args!("first  = {}", draft.first));
        self.line(format_args!("last   = {}", draft.last));
        self.told(
            format_args!("begins = {}", draft.first.to_datetime(draft.begins)),
            "round one",
        );
        self.line(format_args!("rounds = {}", draft.rounds));
        self.table("[ages]", "the day on which every age below counts");
        self.line(r#"on = "first day""#);
    }

    fn entry(&mut self) {
        let draft = self.draft;
        self.table(
            "[entry]",
            "until when entries are taken, and what makes them count",
        );
        self.article();
        let spring = draft.first.saturating_sub(6.months());
        self.told(
            format_args!("# opens   = {{ from = {spring} }}"),
            "without it, entry is open as soon as the desk is",
        );
        let (closes, meaning) = if draft.closes == draft.first {
            let begins = draft.first.to_datetime(draft.begins);
            (format!("before = {begins}"), "when round one begins")
        } else {
            (format!("until = {}", draft.closes), "all of that day")
        };
        let weekday = weekday(draft.closes);
        self.told(
            format_args!("closes    = {{ {closes}, weekday = \"{weekday}\" }}"),
            meaning,
        );
        let hold = if draft.transfer { "3d" } else { "24h" };
        self.told(
            format_args!("hold      = \"{hold}\""),
            "how long a seat is kept that is not paid",
        );
        self.told(
            r#"order     = "form""#,
            "seats go by the form, or by the \"payment\"",
        );
        self.told(r#"effective = "paid""#, "what makes an entry count");
        self.told(
            r#"approval  = "none""#,
            "or \"before payment\", \"after payment\"",
        );
        self.told(
            r#"once_per  = "tournament""#,
            "or \"section\": what nobody enters twice",
        );
        self.told(
            r#"# organiser_may = ["refuse", "annul"]"#,
            "what the bases let the organiser do",
        );
    }

    fn payment(&mut self) {
        let draft = self.draft;
        let taken = [(draft.card, "\"card\""), (draft.transfer, "\"transfer\"")];
        let taken: Vec<&str> = taken
            .iter()
            .filter_map(|(taken, name)| taken.then_some(*name))
            .collect();
        self.table("[payment]", "how it is paid");
        self.line(format_args!("methods = [{}]", taken.join(", ")));
        if draft.transfer {
            self.told(
                r#"# pay_to = { ca = "", es = "", en = "" }"#,
                "TODO: the account, as the payer reads it",
            );
        }
    }

    fn seats(&mut self) {
        self.table(
            "[[capacity]]",
            "of the whole tournament; `sections` sets it for some",
        );
        match self.draft.seats {
            Some(seats) => self.line(format_args!("seats   = {seats}")),
            None => self.told(
                r#"seats   = "organiser""#,
                "entry opens when `enroc tournament open` sets the figure",
            ),
        }
        self.article();
    }

    fn sections(&mut self) {
        for section in &self.draft.sections {
            let title = format!("[section.{}]", section.id);
            self.table(&title, "TODO: what each language calls it");
            let name = sentence(&words::section(&section.id));
            self.line(format_args!("name    = {name}"));
            self.article();
            if let Some(limit) = section.under {
                self.told(
                    format_args!("admits  = {{ rating = {{ under = {limit} }} }}"),
                    "who is unrated is below every limit",
                );
            }
        }
        self.text.push_str(ADMITS);
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

pub(super) fn sentence(text: &Text) -> String {
    let [ca, es, en] = [&text.ca, &text.es, &text.en].map(|text| quoted(text));
    format!("{{ ca = {ca}, es = {es}, en = {en} }}")
}

fn weekday(day: Date) -> &'static str {
    match day.weekday() {
        Weekday::Monday => "monday",
        Weekday::Tuesday => "tuesday",
        Weekday::Wednesday => "wednesday",
        Weekday::Thursday => "thursday",
        Weekday::Friday => "friday",
        Weekday::Saturday => "saturday",
        Weekday::Sunday => "sunday",
    }
}
