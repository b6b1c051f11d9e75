//! What a new version may not change while orders stand that were made under another. Pure.
//!
//! `docs/decisions/0020-publishing-a-regulation.md` says why, and what may change.

use domain::{Currency, Problem, SectionId, Slug, Status, Taken, Text};
use rules::{EntrantKind, Regulation, WhenFull};
use serde::Serialize;
use store::change::Change;
use store::codes;
use store::counts::Counts;

use crate::claims;
use crate::seats::{Over, Seats};

/// Something that a text says otherwise, and that orders stand on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Obstacle {
    /// Where in the text (`section.B`, `entry.order`).
    pub at: String,
    /// Stable code (`section_in_use`).
    pub rule: &'static str,
    /// The sentence.
    pub text: Text,
}

/// What stands in a tournament.
pub(crate) struct Standing {
    /// Entries by section and state.
    pub counts: Counts,
    /// The figure that the text leaves to the organiser, once it is set.
    pub capacity: Option<i64>,
    /// Whether sums stand that are in a currency of the regulation: of orders, or agreed with the bearer of a code.
    pub sums: bool,
    /// How many entries have each row of which there are only so many in the present version.
    pub claims: Taken,
}

impl Standing {
    pub fn read(change: &mut Change<'_>, present: &Regulation) -> Result<Standing, Problem> {
        let (id, any) = (
            change.tournament.id.clone(),
            change.tournament.last_form > 0,
        );
        Ok(Standing {
            counts: change.tournament.counts.clone(),
            capacity: change.tournament.capacity,
            sums: any || codes::have_prices(change.conn()?, &id)?,
            claims: claims::taken(change, present)?,
        })
    }

    /// Entries of a section that are in the tournament or may come into it.
    fn of_section(&self, section: &SectionId) -> i64 {
        let of_it = self
            .counts
            .iter()
            .filter(|(s, ..)| s.as_ref() == Some(section));
        of_it
            .filter(|(_, status, _)| stands(*status))
            .map(|(.., n)| n)
            .sum()
    }

    /// Entries that have a seat to pay or to be approved for, or wait for one.
    fn under_way(&self) -> i64 {
        [Status::Held, Status::Waitlisted, Status::PendingApproval]
            .map(|status| self.counts.in_state(status))
            .iter()
            .sum()
    }

    fn in_all(&self) -> i64 {
        let standing = self.counts.iter().filter(|(_, status, _)| stands(*status));
        standing.map(|(.., n)| n).sum()
    }
}

/// Whether an entry is in the tournament, or may come into it.
pub(crate) fn stands(status: Status) -> bool {
    status.is_live() || status == Status::Withdrawn
}

/// Everything for which `next` cannot take the place of `present` now.
pub(crate) fn obstacles(
    present: &Regulation,
    next: &Regulation,
    standing: &Standing,
) -> Vec<Obstacle> {
    let mut found = Vec::new();
    if standing.sums && present.currency() != next.currency() {
        found.push(currency("currency", present.currency()));
    }
    let others = present.currencies().iter().skip(1);
    let gone = others.filter(|other| standing.sums && !next.currencies().contains(other));
    found.extend(gone.map(|other| currency("currencies", *other)));
    for section in present.sections() {
        let entries = standing.of_section(&section.id);
        if entries == 0 {
            continue;
        }
        match next.section(&section.id) {
            None => found.push(section_gone(&section.id, entries)),
            Some(now) if now.kind != section.kind => {
                found.push(other_entrants(&section.id, section.kind, entries));
            }
            Some(_) => {}
        }
    }
    let under_way = standing.under_way();
    if present.order() != next.order() && under_way > 0 {
        found.push(order(under_way));
    }
    let waiting = standing.counts.in_state(Status::Waitlisted);
    let waits = |regulation: &Regulation| regulation.when_full() == WhenFull::Wait;
    if waits(present) && !waits(next) && waiting > 0 {
        found.push(money_waits(waiting));
    }
    let in_all = standing.in_all();
    if present.identity_scope() != next.identity_scope() && in_all > 0 {
        found.push(once_per(in_all));
    }
    for rule in present
        .limited_rows()
        .filter(|rule| next.first_of(rule).is_none())
    {
        let taken = standing.claims.get(rule).copied().unwrap_or(0);
        if taken > 0 {
            found.push(row_gone(rule, taken));
        }
    }
    let seats = Seats::new(next, standing.capacity, &standing.counts);
    found.extend(
        seats
            .iter()
            .flat_map(Seats::over)
            .map(|over| seats_taken(&over)),
    );
    found
}

/// Refuses what is not allowed while these orders stand.
pub(crate) fn refuse(obstacles: Vec<Obstacle>) -> Result<(), Problem> {
    if obstacles.is_empty() {
        return Ok(());
    }
    let mut problem = Problem::new(Slug::IllegalMove);
    for Obstacle { at, rule, text } in obstacles {
        let text = Text::new(
            format!("{at}: {}", text.ca),
            format!("{at}: {}", text.es),
            format!("{at}: {}", text.en),
        );
        problem = problem.field("source", rule, text);
    }
    Err(problem)
}

fn obstacle(at: impl Into<String>, rule: &'static str, text: Text) -> Obstacle {
    Obstacle {
        at: at.into(),
        rule,
        text,
    }
}

fn currency(at: &str, code: Currency) -> Obstacle {
    let text = Text::new(
        format!("Hi ha comandes o codis amb imports en {code}: la moneda no pot canviar."),
        format!("Hay pedidos o códigos con importes en {code}: la moneda no puede cambiar."),
        format!("There are orders or codes with sums in {code}: the currency cannot change."),
    );
    obstacle(at, "currency_in_use", text)
}

fn section_gone(section: &SectionId, entries: i64) -> Obstacle {
    let text = Text::new(
        format!(
            "Hi ha {entries} inscripcions en aquesta categoria: moveu-les o anul·leu-les abans de treure-la."
        ),
        format!(
            "Hay {entries} inscripciones en esta categoría: muévalas o anúlelas antes de quitarla."
        ),
        format!("{entries} entries are in this section: move or cancel them before it goes."),
    );
    obstacle(format!("section.{section}"), "section_in_use", text)
}

fn other_entrants(section: &SectionId, was: EntrantKind, entries: i64) -> Obstacle {
    let [ca, es, en] = match was {
        EntrantKind::Player => ["jugadors", "jugadores", "players"],
        EntrantKind::Team => ["equips", "equipos", "teams"],
    };
    let text = Text::new(
        format!("Hi ha {entries} inscripcions de {ca} en aquesta categoria."),
        format!("Hay {entries} inscripciones de {es} en esta categoría."),
        format!("{entries} {en} are in this section."),
    );
    obstacle(
        format!("section.{section}.entrants"),
        "entrants_in_use",
        text,
    )
}

fn order(under_way: i64) -> Obstacle {
    let text = Text::new(
        format!(
            "{under_way} inscripcions guarden plaça o n'esperen: no pot canviar per què es donen les places."
        ),
        format!(
            "{under_way} inscripciones guardan plaza o la esperan: no puede cambiar por qué se dan las plazas."
        ),
        format!(
            "{under_way} entries hold a seat or wait for one: what seats are given by cannot change."
        ),
    );
    obstacle("entry.order", "order_in_use", text)
}

fn money_waits(entries: i64) -> Obstacle {
    let text = Text::new(
        format!(
            "{entries} inscripcions esperen plaça amb els diners pagats: no es pot canviar que esperin."
        ),
        format!(
            "{entries} inscripciones esperan plaza con el dinero pagado: no puede cambiar que esperen."
        ),
        format!("{entries} entries wait for a seat with their money: that it waits cannot change."),
    );
    obstacle("entry.when_full", "money_waits", text)
}

fn once_per(entries: i64) -> Obstacle {
    let text = Text::new(
        format!(
            "Hi ha {entries} inscripcions: si canvia, el mateix participant podria entrar dues vegades."
        ),
        format!(
            "Hay {entries} inscripciones: si cambia, el mismo participante podría entrar dos veces."
        ),
        format!("There are {entries} entries: if it changes, the same entrant could enter twice."),
    );
    obstacle("entry.once_per", "identity_in_use", text)
}

fn row_gone(rule: &str, taken: u32) -> Obstacle {
    let text = Text::new(
        format!(
            "{taken} inscripcions tenen aquesta fila, de les que només són per a les primeres: si deixa de ser-ho o canvia d'identificador, es tornaria a comptar des de zero. Per no donar-ne més, poseu `first = {taken}`."
        ),
        format!(
            "{taken} inscripciones tienen esta fila, de las que solo son para las primeras: si deja de serlo o cambia de identificador, se volvería a contar desde cero. Para no dar más, ponga `first = {taken}`."
        ),
        format!(
            "{taken} entries have this row, which only the first ones may have: were it so no more, or called otherwise, it would be counted from nothing. To give out no more, say `first = {taken}`."
        ),
    );
    obstacle(format!("row {rule}"), "row_in_use", text)
}

fn seats_taken(over: &Over) -> Obstacle {
    let Over { seats, taken, .. } = over;
    let at = match over.sections.first() {
        Some(section) => format!("capacity {section}"),
        None => "capacity".to_owned(),
    };
    let text = Text::new(
        format!("Hi ha {taken} places ocupades, i el text en dona {seats}."),
        format!("Hay {taken} plazas ocupadas, y el texto da {seats}."),
        format!("{taken} seats are taken, and the text gives {seats}."),
    );
    obstacle(at, "below_what_is_taken", text)
}
