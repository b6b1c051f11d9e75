//! What answers say where the file has no sentence for it, in Catalan, Spanish and English.

use domain::Text;

pub(crate) fn entry_fee() -> Text {
    Text::new("Inscripció", "Inscripción", "Entry fee")
}

/// A text with the row that it is of.
pub(crate) fn of_row(text: &Text, row: &str) -> Text {
    let named = |text: &str| format!("{text} ({row})");
    Text::new(named(&text.ca), named(&text.es), named(&text.en))
}

/// A reduction that has no text of its own is told by its row.
pub(crate) fn reduction(row: &str) -> Text {
    of_row(&Text::new("Descompte", "Descuento", "Reduction"), row)
}

/// Likewise a charge.
pub(crate) fn charge(row: &str) -> Text {
    of_row(&Text::new("Recàrrec", "Recargo", "Charge"), row)
}

/// Likewise a promotion over one person's entries.
pub(crate) fn package(row: &str) -> Text {
    let text = Text::new(
        "Preu per diversos torneigs",
        "Precio por varios torneos",
        "Price for several events",
    );
    of_row(&text, row)
}

pub(crate) fn tier() -> Text {
    Text::new("Cancel·lació", "Cancelación", "Cancellation")
}

/// The sentences of a reason, or of a rule about refunds, that comes from no condition of the file.
pub(crate) fn fixed(code: &'static str) -> Text {
    let found = SENTENCES.iter().find(|sentence| sentence.0 == code);
    debug_assert!(found.is_some(), "no sentence for {code}");
    found.map_or_else(Text::default, |(_, [ca, es, en])| Text::new(*ca, *es, *en))
}

const SENTENCES: [(&str, [&str; 3]); 28] = [
    (
        "no_entries",
        [
            "La comanda no té cap inscripció.",
            "El pedido no tiene ninguna inscripción.",
            "The order has no entries.",
        ],
    ),
    (
        "not_yet_open",
        [
            "La inscripció encara no és oberta.",
            "La inscripción aún no está abierta.",
            "Entry is not yet open.",
        ],
    ),
    (
        "entry_closed",
        [
            "La inscripció és tancada.",
            "La inscripción está cerrada.",
            "Entry is closed.",
        ],
    ),
    (
        "unknown_section",
        [
            "El torneig no té aquesta categoria.",
            "El torneo no tiene esta categoría.",
            "The tournament has no such section.",
        ],
    ),
    (
        "section_missing",
        [
            "Cal dir la categoria.",
            "Hay que decir la categoría.",
            "The section has to be named.",
        ],
    ),
    (
        "birth_date_impossible",
        [
            "Ningú que jugui no pot haver nascut aquest dia.",
            "Nadie que juegue puede haber nacido ese día.",
            "Nobody who plays can have been born on that day.",
        ],
    ),
    (
        "wrong_entrant_kind",
        [
            "Aquesta categoria es juga d'una altra manera (individual o per equips).",
            "Esta categoría se juega de otra manera (individual o por equipos).",
            "This section is played otherwise (by single players, or by teams).",
        ],
    ),
    (
        "section_has_no_fees",
        [
            "Les bases no donen preu a aquesta categoria: la inscripció és tancada.",
            "Las bases no dan precio a esta categoría: la inscripción está cerrada.",
            "The regulations give this section no price: entry to it is closed.",
        ],
    ),
    (
        "no_price",
        [
            "Les bases no donen preu a aquest participant.",
            "Las bases no dan precio a este participante.",
            "The regulations give this entrant no price.",
        ],
    ),
    (
        "already_entered",
        [
            "Aquest participant ja està inscrit.",
            "Este participante ya está inscrito.",
            "This entrant is entered already.",
        ],
    ),
    (
        "same_pupil_twice",
        [
            "Aquest alumne ja és en un equip de la mateixa institució en aquesta categoria.",
            "Este alumno ya está en un equipo de la misma institución en esta categoría.",
            "This pupil is in a team of the same institution in this section already.",
        ],
    ),
    (
        "name_missing",
        ["Falta el nom.", "Falta el nombre.", "The name is missing."],
    ),
    (
        "question_unknown",
        [
            "Les bases no fan aquesta pregunta.",
            "Las bases no hacen esta pregunta.",
            "The regulations do not ask this question.",
        ],
    ),
    (
        "institution_missing",
        [
            "Falta la institució.",
            "Falta la institución.",
            "The institution is missing.",
        ],
    ),
    (
        "bye_round_unknown",
        [
            "Aquesta ronda no existeix.",
            "Esta ronda no existe.",
            "There is no such round.",
        ],
    ),
    (
        "bye_round_twice",
        [
            "Aquesta ronda es demana dues vegades.",
            "Esta ronda se pide dos veces.",
            "This round is asked for twice.",
        ],
    ),
    (
        "bye_not_offered",
        [
            "Les bases no permeten descansos d'aquest valor.",
            "Las bases no permiten descansos de este valor.",
            "The regulations allow no byes of this worth.",
        ],
    ),
    (
        "bye_not_in_this_round",
        [
            "En aquesta ronda no es pot demanar un descans d'aquest valor.",
            "En esta ronda no se puede pedir un descanso de este valor.",
            "A bye of this worth may not be asked for in this round.",
        ],
    ),
    (
        "too_many_byes",
        [
            "Es demanen més descansos d'aquest valor dels que les bases permeten.",
            "Se piden más descansos de este valor de los que las bases permiten.",
            "More byes of this worth are asked for than the regulations allow.",
        ],
    ),
    (
        "organiser",
        [
            "L'organització ha anul·lat la inscripció: tot torna.",
            "La organización ha anulado la inscripción: vuelve todo.",
            "The organiser ended the entry: everything comes back.",
        ],
    ),
    (
        "rejected",
        [
            "La inscripció s'ha rebutjat: tot torna.",
            "La inscripción se ha rechazado: vuelve todo.",
            "The entry was refused: everything comes back.",
        ],
    ),
    (
        "no_seat",
        [
            "No hi havia plaça per a aquests diners: tot torna.",
            "No había plaza para este dinero: vuelve todo.",
            "There was no seat for this money: everything comes back.",
        ],
    ),
    (
        "price",
        [
            "El preu ha baixat: torna la diferència.",
            "El precio ha bajado: vuelve la diferencia.",
            "The price became smaller: the difference comes back.",
        ],
    ),
    (
        "staff",
        [
            "Ho ha decidit l'organització.",
            "Lo ha decidido la organización.",
            "The staff decided it.",
        ],
    ),
    (
        "before_approval",
        [
            "La inscripció encara no s'havia aprovat: tot torna.",
            "La inscripción aún no se había aprobado: vuelve todo.",
            "The entry had not been approved yet: everything comes back.",
        ],
    ),
    (
        "finished",
        [
            "Qui acaba el torneig recupera el dipòsit.",
            "Quien termina el torneo recupera el depósito.",
            "Who finishes the tournament gets the deposit back.",
        ],
    ),
    (
        "no_clause",
        [
            "Les bases no preveuen cap devolució; l'organització pot decidir-la.",
            "Las bases no prevén ninguna devolución; la organización puede decidirla.",
            "The regulations have no refund clause; the staff may decide one.",
        ],
    ),
    (
        "too_late",
        [
            "El termini per cancel·lar amb devolució ha passat.",
            "El plazo para cancelar con devolución ha pasado.",
            "The time to cancel with a refund has passed.",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_name_every_code() {
        let pages = [
            include_str!("../../docs/regulation-language.md"),
            include_str!("../../docs/refunds.md"),
        ];
        for (code, _) in SENTENCES {
            let quoted = format!("`{code}`");
            assert!(pages.iter().any(|page| page.contains(&quoted)), "{code}");
        }
    }
}
