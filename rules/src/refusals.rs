//! Why a condition of the file refuses an entry, in Catalan, Spanish and English: the code of each test and its sentence.

use domain::{Currency, Text, Title};
use jiff::civil::Date;

use crate::conditions::{ANY_LICENCE, Range, Test, Vocabulary, title_bit};
use crate::terms::{Question, QuestionKind};

/// Why a test that entry needs does not hold: its code and its sentence.
pub(crate) fn refusal(
    test: &Test,
    rating: Option<u16>,
    vocabulary: &Vocabulary,
) -> (&'static str, Text) {
    match test {
        Test::Rating(range) => rating_refusal(*range, rating),
        Test::Unrated(true) => (
            "must_be_unrated",
            Text::new(
                "Només hi poden entrar jugadors sense Elo.",
                "Solo pueden entrar jugadores sin Elo.",
                "Only unrated players may enter.",
            ),
        ),
        Test::Unrated(false) => (
            "rating_missing",
            Text::new(
                "Cal tenir Elo.",
                "Hace falta tener Elo.",
                "A rating is needed.",
            ),
        ),
        Test::Born { days, ages } => age_refusal(*days, *ages),
        Test::Title(titles) => title_refusal(*titles),
        Test::Licence(licences) => licence_refusal(*licences, vocabulary),
        Test::Invited(_) | Test::Code(_) => (
            "invitation_missing",
            Text::new(
                "Cal una invitació de l'organització.",
                "Hace falta una invitación de la organización.",
                "An invitation by the organiser is needed.",
            ),
        ),
        Test::Players(range) => team_size(*range),
        Test::Girls(range) => girls(*range),
        Test::Levels(_) => (
            "level_too_high",
            Text::new(
                "Aquest alumne cursa un nivell que aquesta categoria no admet.",
                "Este alumno cursa un nivel que esta categoría no admite.",
                "This pupil attends a level that this section does not admit.",
            ),
        ),
        Test::Coach(_) => (
            "coach_missing",
            Text::new(
                "Cal el nom de l'entrenador o delegat.",
                "Hace falta el nombre del entrenador o delegado.",
                "A coach or delegate has to be named.",
            ),
        ),
        Test::Answer(place, _) => match vocabulary.questions.get(usize::from(*place)) {
            Some(question) => wrong_answer(question),
            None => not_admitted(),
        },
        Test::Registered(_) => (
            "not_at_this_time",
            Text::new(
                "Ara no s'hi pot entrar.",
                "Ahora no se puede entrar.",
                "Entry is not possible at this time.",
            ),
        ),
        _ => not_admitted(),
    }
}

/// A condition that is not a simple limit.
pub(crate) fn not_admitted() -> (&'static str, Text) {
    (
        "not_admitted",
        Text::new(
            "Les bases no admeten aquest participant en aquesta categoria.",
            "Las bases no admiten a este participante en esta categoría.",
            "The regulations do not admit this entrant to this section.",
        ),
    )
}

/// An order in a currency that the file does not have.
pub(crate) fn currency_not_taken(taken: &[Currency], asked: Currency) -> Text {
    let codes: Vec<&str> = taken.iter().map(|currency| currency.code()).collect();
    Text::new(
        format!(
            "Aquest torneig cobra en {}, no en {asked}.",
            codes.join(" o ")
        ),
        format!("Este torneo cobra en {}, no en {asked}.", codes.join(" o ")),
        format!(
            "This tournament charges in {}, not in {asked}.",
            codes.join(" or ")
        ),
    )
}

/// An entrant whose price is in another currency than the order.
pub(crate) fn no_price_in(asked: Currency, other: Currency) -> Text {
    Text::new(
        format!("El preu d'aquest participant és en {other}: en {asked} no n'hi ha."),
        format!("El precio de este participante es en {other}: en {asked} no lo hay."),
        format!("This entrant's price is in {other}: there is none in {asked}."),
    )
}

fn wrong_answer(question: &Question) -> (&'static str, Text) {
    let asked = &question.text;
    (
        "answer_not_admitted",
        Text::new(
            format!("Amb aquesta resposta no s'hi pot entrar: «{}»", asked.ca),
            format!("Con esta respuesta no se puede entrar: «{}»", asked.es),
            format!("With this answer entry is not possible: “{}”", asked.en),
        ),
    )
}

/// Says what can be answered.
pub(crate) fn not_an_answer(question: &Question) -> Text {
    match &question.kind {
        QuestionKind::YesNo => Text::new(
            "La resposta és sí o no (true, false).",
            "La respuesta es sí o no (true, false).",
            "The answer is yes or no (true, false).",
        ),
        QuestionKind::Number { from, to } => Text::new(
            format!("La resposta és un nombre enter de {from} a {to}."),
            format!("La respuesta es un número entero de {from} a {to}."),
            format!("The answer is a whole number from {from} to {to}."),
        ),
        QuestionKind::Choice(choices) => {
            let ids: Vec<&str> = choices.iter().map(|choice| choice.id.as_str()).collect();
            let ids = ids.join(", ");
            Text::new(
                format!("La resposta és una d'aquestes: {ids}."),
                format!("La respuesta es una de estas: {ids}."),
                format!("The answer is one of these: {ids}."),
            )
        }
    }
}

/// Says what was asked.
pub(crate) fn answer_missing(question: &Question) -> Text {
    let asked = &question.text;
    Text::new(
        format!("Cal respondre: «{}»", asked.ca),
        format!("Hay que responder: «{}»", asked.es),
        format!("An answer is needed: “{}”", asked.en),
    )
}

fn rating_refusal(range: Range<i32>, rating: Option<u16>) -> (&'static str, Text) {
    let rating = rating.map_or(-1, i32::from);
    match range {
        Range { to: Some(to), .. } if rating > to => (
            "rating_too_high",
            Text::new(
                format!("L'Elo ha de ser inferior a {}.", to + 1),
                format!("El Elo debe ser inferior a {}.", to + 1),
                format!("The rating has to be below {}.", to + 1),
            ),
        ),
        Range { from, .. } => {
            let from = from.unwrap_or_default();
            (
                "rating_too_low",
                Text::new(
                    format!("L'Elo ha de ser {from} o superior."),
                    format!("El Elo debe ser {from} o superior."),
                    format!("The rating has to be {from} or more."),
                ),
            )
        }
    }
}

fn licence_refusal(licences: u64, vocabulary: &Vocabulary) -> (&'static str, Text) {
    let named = vocabulary.licences.iter().enumerate();
    let named: Vec<&str> = named
        .filter(|(place, _)| licences != ANY_LICENCE && licences & (1 << place) != 0)
        .map(|(_, licence)| licence.as_str())
        .collect();
    let text = if named.is_empty() {
        Text::new(
            "Cal una llicència federativa en vigor.",
            "Hace falta una licencia federativa en vigor.",
            "A federation's licence in force is needed.",
        )
    } else {
        let named = named.join(", ");
        Text::new(
            format!("Cal una d'aquestes llicències en vigor: {named}."),
            format!("Hace falta una de estas licencias en vigor: {named}."),
            format!("One of these licences has to be in force: {named}."),
        )
    };
    ("licence_missing", text)
}

fn age_refusal(days: Range<Date>, ages: Option<Range<i32>>) -> (&'static str, Text) {
    let text = match (ages, days) {
        (
            Some(Range {
                to: Some(to),
                from: None,
            }),
            _,
        ) => Text::new(
            format!("Cal tenir menys de {} anys.", to + 1),
            format!("Hay que tener menos de {} años.", to + 1),
            format!("The entrant has to be under {}.", to + 1),
        ),
        (
            Some(Range {
                from: Some(from),
                to: None,
            }),
            _,
        ) => Text::new(
            format!("Cal haver fet {from} anys."),
            format!("Hay que haber cumplido {from} años."),
            format!("The entrant has to be {from} or older."),
        ),
        (_, Range { from, to }) => {
            let day = |day: Option<Date>| day.map_or("…".to_owned(), |day| day.to_string());
            let (from, to) = (day(from), day(to));
            Text::new(
                format!("Cal haver nascut entre {from} i {to}."),
                format!("Hay que haber nacido entre {from} y {to}."),
                format!("The entrant has to be born between {from} and {to}."),
            )
        }
    };
    ("age_not_admitted", text)
}

fn title_refusal(titles: u16) -> (&'static str, Text) {
    if titles & title_bit(None) != 0 {
        return (
            "title_not_admitted",
            Text::new(
                "No s'admeten jugadors amb aquest títol.",
                "No se admiten jugadores con este título.",
                "Players of this title are not admitted.",
            ),
        );
    }
    let named: Vec<String> = [
        Title::Gm,
        Title::Im,
        Title::Fm,
        Title::Cm,
        Title::Wgm,
        Title::Wim,
        Title::Wfm,
        Title::Wcm,
    ]
    .into_iter()
    .filter(|title| titles & title_bit(Some(*title)) != 0)
    .map(|title| title.to_string())
    .collect();
    let named = named.join(", ");
    (
        "title_missing",
        Text::new(
            format!("Cal un d'aquests títols: {named}."),
            format!("Hace falta uno de estos títulos: {named}."),
            format!("One of these titles is needed: {named}."),
        ),
    )
}

fn team_size(range: Range<i32>) -> (&'static str, Text) {
    let text = match range {
        Range {
            from: Some(from),
            to: Some(to),
        } if from == to => Text::new(
            format!("L'equip ha de tenir {to} jugadors."),
            format!("El equipo debe tener {to} jugadores."),
            format!("The team has to have {to} players."),
        ),
        Range { from, to } => {
            let (from, to) = (
                from.unwrap_or(0),
                to.map_or("…".to_owned(), |n| n.to_string()),
            );
            Text::new(
                format!("L'equip ha de tenir de {from} a {to} jugadors."),
                format!("El equipo debe tener de {from} a {to} jugadores."),
                format!("The team has to have {from} to {to} players."),
            )
        }
    };
    ("team_size", text)
}

fn girls(range: Range<i32>) -> (&'static str, Text) {
    let from = range.from.unwrap_or(0);
    (
        "team_needs_girl",
        Text::new(
            format!("Les noies de l'equip han de ser almenys {from}."),
            format!("Las chicas del equipo deben ser al menos {from}."),
            format!("The girls in the team have to be at least {from}."),
        ),
    )
}
