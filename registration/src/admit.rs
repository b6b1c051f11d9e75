//! What an order must bring besides what the regulation asks of its entrants: a payer, names, consents, a right sum.

use domain::{
    Currency, Entrant, FactName, FieldFault, Grade, Language, Money, Problem, Quote, Slug, Text,
    UtcTime,
};
use rules::Regulation;
use store::codes::Code;

use crate::register::Register;
use crate::slip::dated_ahead;

/// At most so many entries in one order.
const MOST_ENTRIES: usize = 64;

fn fault(field: impl Into<String>, rule: &str, ca: &str, es: &str, en: &str) -> FieldFault {
    FieldFault {
        field: field.into(),
        rule: rule.into(),
        text: Text::new(ca, es, en),
    }
}

fn missing(field: impl Into<String>) -> FieldFault {
    fault(
        field,
        "required",
        "Cal omplir-lo.",
        "Hay que rellenarlo.",
        "It is required.",
    )
}

/// Refuses an order whose payer, names, consents or slip are not as they must be, naming every field.
pub(crate) fn payer(
    regulation: &Regulation,
    command: &Register,
    at: UtcTime,
) -> Result<(), Problem> {
    let mut faults = Vec::new();
    if command.payer.name.trim().is_empty() {
        faults.push(missing("payer.name"));
    }
    if command.payer.email.trim().is_empty() {
        faults.push(missing("payer.email"));
    }
    if command.entries.is_empty() {
        faults.push(missing("entries"));
    }
    if command.entries.len() > MOST_ENTRIES {
        faults.push(fault(
            "entries",
            "too_many",
            "Com a màxim 64 inscripcions per comanda.",
            "Como máximo 64 inscripciones por pedido.",
            "At most 64 entries in one order.",
        ));
    }
    for (index, entry) in command.entries.iter().enumerate() {
        faults.extend(names(index, &entry.request.entrant));
    }
    faults.extend(consents(regulation, command));
    faults.extend(slip(regulation, command, at));
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Problem {
            fields: faults,
            ..Problem::new(Slug::InvalidFields)
        })
    }
}

fn names(index: usize, entrant: &Entrant) -> Vec<FieldFault> {
    let empty = |text: Option<&str>| text.is_none_or(|t| t.trim().is_empty());
    let mut faults = Vec::new();
    match entrant {
        Entrant::Player(player) if empty(player.name.as_deref()) => {
            faults.push(missing(format!("entries[{index}].entrant.name")));
        }
        Entrant::Player(_) => {}
        Entrant::Team(team) => {
            if empty(Some(&team.name)) {
                faults.push(missing(format!("entries[{index}].team.name")));
            }
            if empty(Some(&team.institution)) {
                faults.push(missing(format!("entries[{index}].team.institution")));
            }
            for (place, _) in team
                .roster
                .iter()
                .enumerate()
                .filter(|(_, p)| empty(Some(&p.name)))
            {
                faults.push(missing(format!(
                    "entries[{index}].team.roster[{place}].name"
                )));
            }
        }
    }
    faults
}

fn consents(regulation: &Regulation, command: &Register) -> Vec<FieldFault> {
    let given = &command.payer.consents;
    let lacking = regulation
        .consents()
        .iter()
        .filter(|c| c.required && !given.contains(&c.id))
        .map(|c| FieldFault {
            field: "payer.consents".into(),
            rule: "consent_missing".into(),
            text: Text::new(
                format!("Falta acceptar «{}»: {}", c.id, c.text.ca),
                format!("Falta aceptar «{}»: {}", c.id, c.text.es),
                format!("“{}” has to be agreed to: {}", c.id, c.text.en),
            ),
        });
    let unknown = given
        .iter()
        .filter(|id| regulation.consents().iter().all(|c| c.id != **id))
        .map(|id| {
            fault(
                "payer.consents",
                "consent_unknown",
                &format!("Les bases no demanen el consentiment «{id}»."),
                &format!("Las bases no piden el consentimiento «{id}»."),
                &format!("The regulations ask for no consent “{id}”."),
            )
        });
    lacking.chain(unknown).collect()
}

fn slip(regulation: &Regulation, command: &Register, at: UtcTime) -> Option<FieldFault> {
    let methods = regulation.payment_methods();
    match &command.slip {
        None if methods.slip_with_entry => Some(fault(
            "slip.number",
            "slip_missing",
            "Cal el número del comprovant de pagament.",
            "Hace falta el número del comprobante de pago.",
            "The number of the payment slip is needed.",
        )),
        Some(slip) if methods.slip && slip.number.trim().is_empty() => Some(missing("slip.number")),
        Some(_) if !methods.slip => Some(fault(
            "slip",
            "method_not_offered",
            "Aquest torneig no admet comprovants.",
            "Este torneo no admite comprobantes.",
            "This tournament takes no slips.",
        )),
        Some(slip) => dated_ahead(regulation, ("slip.date", slip.date), at),
        None => None,
    }
}

/// Refuses an order whose payer was shown another sum, or whose slip is of another sum.
pub(crate) fn expected_total(command: &Register, quote: &Quote) -> Result<(), Problem> {
    let total = Money::new(quote.total, quote.currency);
    let shown = command.expected.map(|m| ("expected_total", m));
    let slip = command
        .slip
        .as_ref()
        .filter(|_| quote.total > 0)
        .map(|s| ("slip.amount", s.amount));
    match [shown, slip]
        .into_iter()
        .flatten()
        .find(|(_, money)| *money != total)
    {
        Some((field, money)) => Err(amount_mismatch(field, money, total)),
        None => Ok(()),
    }
}

/// A sum or currency that is not the order's.
pub(crate) fn amount_mismatch(field: &str, given: Money, total: Money) -> Problem {
    let said = |language| (given.in_language(language), total.in_language(language));
    let [(ca, ca_total), (es, es_total), (en, en_total)] = Language::ALL.map(said);
    let text = Text::new(
        format!("S'ha indicat {ca}, però són {ca_total}."),
        format!("Se ha indicado {es}, pero son {es_total}."),
        format!("{en} was given, but it is {en_total}."),
    );
    Problem::new(Slug::AmountMismatch).field(field, "amount_mismatch", text)
}

/// An entry whose code nobody gave out.
pub(crate) fn unknown_code(index: usize) -> Problem {
    let text = Text::new(
        "L'organització no ha donat aquest codi.",
        "La organización no ha dado este código.",
        "The organiser gave out no such code.",
    );
    Problem::new(Slug::InvalidFields).field(format!("entries[{index}].code"), "unknown_code", text)
}

/// An entry whose code is used up.
pub(crate) fn code_used_up(index: usize) -> Problem {
    Problem::new(Slug::CodeUsedUp).field(
        format!("entries[{index}].code"),
        "code_used_up",
        Slug::CodeUsedUp.title(),
    )
}

/// An entrant who has a live entry already.
pub(crate) fn already_entered(index: usize) -> Problem {
    let field = format!("entries[{index}]");
    Problem::new(Slug::AlreadyEntered).field(field, "already_entered", Slug::AlreadyEntered.title())
}

/// What a code is worth: an invitation, or, where it names a price, that price and nothing better.
pub(crate) fn invite(entrant: &mut Entrant, code: &Code, currency: Currency) {
    let Entrant::Player(player) = entrant else {
        return;
    };
    let fact = match code.agreed_price {
        None => {
            player.invited = true;
            FactName::Invited
        }
        Some(price) => {
            player.agreed_price = Some(Money::new(price, currency));
            FactName::AgreedPrice
        }
    };
    let by = format!("code:{}", code.label);
    player.grades.insert(fact, Grade::Checked { by });
}

/// Gives every fact of an entrant one grade.
pub(crate) fn check_all(entrant: &mut Entrant, grade: &Grade) {
    for fact in entrant.facts() {
        entrant.grades_mut().insert(*fact, grade.clone());
    }
}
