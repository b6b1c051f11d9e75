//! A tournament as its present regulation has it.

use domain::{Language, SectionId, Text, TournamentId, UtcTime};
use jiff::civil::Date;
use registration::SectionCount;
use rules::{Approval, EntrantKind, QuestionKind, Regulation};
use serde::Serialize;
use utoipa::ToSchema;

use super::money::MoneyOut;
use super::quote::{RegulationOut, TextOut};

/// A tournament in the list.
#[derive(Debug, Serialize, ToSchema)]
pub struct TournamentShortOut {
    /// The `id` of its regulation.
    #[schema(value_type = String)]
    pub tournament: TournamentId,
    /// What people call it.
    #[schema(value_type = TextOut)]
    pub name: Text,
    /// First day of play, in the venue's time.
    #[schema(value_type = String, format = Date)]
    pub first_day: Date,
    /// Last day of play, in the venue's time.
    #[schema(value_type = String, format = Date)]
    pub last_day: Date,
    /// The venue's IANA time zone.
    pub time_zone: String,
    /// More about it.
    pub link: String,
}

impl TournamentShortOut {
    pub(in crate::rest) fn of(regulation: &Regulation, home: &str) -> Self {
        let (first_day, last_day) = regulation.days();
        TournamentShortOut {
            tournament: regulation.tournament().clone(),
            name: regulation.name().clone(),
            first_day,
            last_day,
            time_zone: zone(regulation),
            link: format!("{home}/v1/tournaments/{}", regulation.tournament()),
        }
    }
}

/// The tournaments of this desk.
#[derive(Debug, Serialize, ToSchema)]
pub struct TournamentsOut {
    /// By their `id`.
    pub tournaments: Vec<TournamentShortOut>,
}

/// A group of the tournament.
#[derive(Debug, Serialize, ToSchema)]
pub struct SectionOut {
    /// As the regulation names it.
    #[schema(value_type = String)]
    pub section: SectionId,
    /// What people call it.
    #[schema(value_type = TextOut)]
    pub name: Text,
    /// How many rounds are played.
    pub rounds: u32,
    /// `player` or `team`.
    pub kind: &'static str,
    /// Whether the text gives it a price. Where it gives none, entry is closed, not free.
    pub has_fees: bool,
    /// Free seats; none where there is no limit, or the organiser has not set it.
    pub free: Option<i64>,
}

/// How many entries there may be.
#[derive(Debug, Serialize, ToSchema)]
pub struct CapacityOut {
    /// The sections that share these seats; empty for the whole tournament.
    #[schema(value_type = Vec<String>)]
    pub sections: Vec<SectionId>,
    /// Full at this figure; none where the organiser has yet to set it.
    pub seats: Option<i64>,
    /// The article.
    pub article: String,
}

/// How money comes in.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentMethodsOut {
    /// `session`, `intent`, `transfer` and `slip`, as far as they are taken.
    pub methods: Vec<&'static str>,
    /// Whether the slip's number is given with the entry.
    pub slip_with_entry: bool,
    /// Means that the text names and that are off.
    pub off: Vec<String>,
}

/// Something that the payer agrees to.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConsentOut {
    /// As the order names it.
    pub consent: String,
    /// What is agreed to.
    #[schema(value_type = TextOut)]
    pub text: Text,
    /// Whether entry needs it.
    pub required: bool,
    /// The article.
    pub article: String,
}

/// One of the answers of a question.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChoiceOut {
    /// As answers name it.
    pub choice: String,
    /// What it is, for people.
    #[schema(value_type = TextOut)]
    pub text: Text,
}

/// Something that the organiser asks of each entrant.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuestionOut {
    /// As answers name it.
    pub question: String,
    /// What is asked.
    #[schema(value_type = TextOut)]
    pub text: Text,
    /// `yes_no`, `number` or `choice`.
    pub kind: &'static str,
    /// The least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<i32>,
    /// The greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<i32>,
    /// What can be chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<ChoiceOut>,
    /// Whether an entry needs an answer.
    pub required: bool,
    /// The sections whose entrants are asked; empty for all.
    #[schema(value_type = Vec<String>)]
    pub sections: Vec<SectionId>,
    /// The article.
    pub article: String,
}

/// A proof that lets more come back to who cancels.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProofOut {
    /// The tier of the refund clause that asks for it.
    pub tier: String,
    /// What the organiser has to have seen.
    #[schema(value_type = TextOut)]
    pub text: Text,
}

/// A protest and the money taken with it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AppealOut {
    /// As the regulation names it.
    pub appeal: String,
    /// Taken with it, given back if it is upheld; in the first currency of the tournament.
    pub deposit: MoneyOut,
    /// The same in each of its currencies.
    pub deposits: Vec<MoneyOut>,
    /// How long after the act there is to appeal.
    pub within_seconds: i64,
    /// The time limit and what becomes of the deposit, in words.
    #[schema(value_type = TextOut)]
    pub text: Text,
    /// The article.
    pub article: String,
}

/// A tournament as its present regulation has it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TournamentOut {
    /// The `id` of its regulation.
    #[schema(value_type = String)]
    pub tournament: TournamentId,
    /// What people call it.
    #[schema(value_type = TextOut)]
    pub name: Text,
    /// Under which rules it takes entries.
    pub regulation: RegulationOut,
    /// ISO 4217 code of its prices; the first, where it has prices in several currencies.
    pub currency: &'static str,
    /// ISO 4217 codes of the currencies in which it has prices, fixed in each.
    pub currencies: Vec<&'static str>,
    /// The venue's IANA time zone.
    pub time_zone: String,
    /// First day of play, in the venue's time.
    #[schema(value_type = String, format = Date)]
    pub first_day: Date,
    /// Last day of play, in the venue's time.
    #[schema(value_type = String, format = Date)]
    pub last_day: Date,
    /// When the first round begins.
    #[schema(value_type = String, format = DateTime)]
    pub begins: UtcTime,
    /// Whether an order may be registered now.
    pub open: bool,
    /// The first instant at which an entry is taken; none where it is open from the start.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub opens: Option<UtcTime>,
    /// The first instant at which no entry is taken any more.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub closes: Option<UtcTime>,
    /// The first instant at which money is refused.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub pay_by: Option<UtcTime>,
    /// `none`, `before_payment` or `after_payment`.
    pub approval: &'static str,
    /// Its sections, in the regulation's order.
    pub sections: Vec<SectionOut>,
    /// How many entries there may be; empty where the text sets no limit.
    pub capacity: Vec<CapacityOut>,
    /// How money comes in.
    pub payment_methods: PaymentMethodsOut,
    /// What the payer agrees to.
    pub consents: Vec<ConsentOut>,
    /// What the organiser asks of each entrant.
    pub questions: Vec<QuestionOut>,
    /// The language whose wording prevails, where the regulation says so.
    #[schema(value_type = Option<String>)]
    pub prevailing_language: Option<Language>,
    /// Protests, their time limits and their deposits.
    pub appeals: Vec<AppealOut>,
    /// Whether who cancels may have a credit in the place of money.
    pub offers_credit: bool,
    /// Proofs that the refund clause asks for.
    pub proofs: Vec<ProofOut>,
    /// The rows of the regulation that are deposits: they come back to who has finished.
    pub deposits: Vec<String>,
}

impl TournamentOut {
    /// `set` is the capacity that the organiser set, `seats` how the seats stand at `now`.
    pub(in crate::rest) fn of(
        regulation: &Regulation,
        set: Option<i64>,
        seats: &[SectionCount],
        now: UtcTime,
    ) -> Self {
        let (first_day, last_day) = regulation.days();
        let capacity = capacity(regulation, set);
        let opened = capacity.iter().all(|rule| rule.seats.is_some());
        let begun = regulation.opens().is_none_or(|from| from <= now);
        let ended = regulation.closes().is_some_and(|end| end <= now);
        TournamentOut {
            tournament: regulation.tournament().clone(),
            name: regulation.name().clone(),
            regulation: regulation.reference().clone().into(),
            currency: regulation.currency().code(),
            currencies: regulation
                .currencies()
                .iter()
                .map(|one| one.code())
                .collect(),
            time_zone: zone(regulation),
            first_day,
            last_day,
            begins: regulation.begins(),
            open: opened && begun && !ended,
            opens: regulation.opens(),
            closes: regulation.closes(),
            pay_by: regulation.pay_by(),
            approval: match regulation.approval() {
                Approval::None => "none",
                Approval::BeforePayment => "before_payment",
                Approval::AfterPayment => "after_payment",
            },
            sections: sections(regulation, seats),
            capacity,
            payment_methods: payment_methods(regulation),
            consents: consents(regulation),
            questions: questions(regulation),
            prevailing_language: regulation.prevailing_language(),
            appeals: appeals(regulation),
            offers_credit: regulation.offers_credit(),
            proofs: proofs(regulation),
            deposits: regulation.deposits().map(str::to_owned).collect(),
        }
    }
}

fn zone(regulation: &Regulation) -> String {
    regulation
        .time_zone()
        .iana_name()
        .unwrap_or("UTC")
        .to_owned()
}

fn sections(regulation: &Regulation, seats: &[SectionCount]) -> Vec<SectionOut> {
    let free = |id: &SectionId| {
        let count = seats.iter().find(|s| s.section.as_ref() == Some(id));
        count.and_then(|s| s.free)
    };
    regulation
        .sections()
        .map(|section| SectionOut {
            section: section.id.clone(),
            name: section.name.clone(),
            rounds: section.rounds,
            kind: match section.kind {
                EntrantKind::Player => "player",
                EntrantKind::Team => "team",
            },
            has_fees: section.has_fees,
            free: free(&section.id),
        })
        .collect()
}

fn capacity(regulation: &Regulation, set: Option<i64>) -> Vec<CapacityOut> {
    let rules = regulation.capacity().iter();
    rules
        .map(|rule| CapacityOut {
            sections: rule.sections.clone(),
            seats: rule.seats.map(i64::from).or(set),
            article: rule.article.clone(),
        })
        .collect()
}

fn payment_methods(regulation: &Regulation) -> PaymentMethodsOut {
    let taken = regulation.payment_methods();
    let methods = [
        ("session", taken.card),
        ("intent", taken.card),
        ("transfer", taken.transfer),
        ("slip", taken.slip),
    ];
    PaymentMethodsOut {
        methods: methods
            .iter()
            .filter(|(_, on)| *on)
            .map(|(name, _)| *name)
            .collect(),
        slip_with_entry: taken.slip_with_entry,
        off: taken.off.clone(),
    }
}

fn consents(regulation: &Regulation) -> Vec<ConsentOut> {
    let consents = regulation.consents().iter();
    consents
        .map(|consent| ConsentOut {
            consent: consent.id.clone(),
            text: consent.text.clone(),
            required: consent.required,
            article: consent.article.clone(),
        })
        .collect()
}

fn questions(regulation: &Regulation) -> Vec<QuestionOut> {
    let one = |question: &rules::Question| {
        let (kind, from, to, choices) = match &question.kind {
            QuestionKind::YesNo => ("yes_no", None, None, &[][..]),
            QuestionKind::Number { from, to } => ("number", Some(*from), Some(*to), &[][..]),
            QuestionKind::Choice(choices) => ("choice", None, None, &choices[..]),
        };
        let choice = |choice: &rules::Choice| ChoiceOut {
            choice: choice.id.clone(),
            text: choice.text.clone(),
        };
        QuestionOut {
            question: question.id.clone(),
            text: question.text.clone(),
            kind,
            from,
            to,
            choices: choices.iter().map(choice).collect(),
            required: question.required,
            sections: question.sections.clone(),
            article: question.article.clone(),
        }
    };
    regulation.questions().iter().map(one).collect()
}

fn proofs(regulation: &Regulation) -> Vec<ProofOut> {
    let one = |(tier, text): (&str, &Text)| ProofOut {
        tier: tier.to_owned(),
        text: text.clone(),
    };
    regulation.proofs().map(one).collect()
}

fn appeals(regulation: &Regulation) -> Vec<AppealOut> {
    let appeals = regulation.appeals().iter();
    appeals
        .map(|appeal| AppealOut {
            appeal: appeal.id.clone(),
            deposit: appeal.deposits[0].into(),
            deposits: appeal.deposits.iter().copied().map(Into::into).collect(),
            within_seconds: appeal.within_seconds,
            text: appeal.text.clone(),
            article: appeal.article.clone(),
        })
        .collect()
}
