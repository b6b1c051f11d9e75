//! What findings say, in Catalan, Spanish and English.

use domain::Text;

/// The sentences of a finding by its code.
pub(super) fn of(code: &str) -> Text {
    let found = MESSAGES.iter().find(|message| message.0 == code);
    debug_assert!(found.is_some(), "no message for {code}");
    found.map_or_else(Text::default, |(_, [ca, es, en])| Text::new(*ca, *es, *en))
}

const MESSAGES: [(&str, [&str; 3]); 41] = [
    (
        "hole",
        [
            "Hi ha participants admesos que no tenen preu.",
            "Hay participantes admitidos que no tienen precio.",
            "There are admitted entrants without a price.",
        ],
    ),
    (
        "nobody_admitted",
        [
            "Ningú no pot entrar en aquesta categoria.",
            "Nadie puede entrar en esta categoría.",
            "Nobody can enter this section.",
        ],
    ),
    (
        "dead_row",
        [
            "Aquesta fila no s'aplica mai a ningú.",
            "Esta fila no se aplica nunca a nadie.",
            "This row never applies to anybody.",
        ],
    ),
    (
        "never_chosen",
        [
            "Aquesta fila s'aplica, però sempre n'hi ha una de més barata o anterior.",
            "Esta fila se aplica, pero siempre hay otra más barata o anterior.",
            "This row applies, but a cheaper or earlier one always goes before it.",
        ],
    ),
    (
        "never_counts",
        [
            "Aquest ajust no canvia mai cap preu.",
            "Este ajuste no cambia nunca ningún precio.",
            "This adjustment never changes a price.",
        ],
    ),
    (
        "total_too_small",
        [
            "El total és massa petit per a la passarel·la de pagament.",
            "El total es demasiado pequeño para la pasarela de pago.",
            "The total is less than the gateway can charge.",
        ],
    ),
    (
        "reduction_too_large",
        [
            "La rebaixa és més gran que el preu del qual es treu.",
            "La rebaja es mayor que el precio del que se resta.",
            "The reduction is larger than the fee that it is taken from.",
        ],
    ),
    (
        "reduction_raises",
        [
            "Aquesta rebaixa apuja el preu: un import que resta és negatiu.",
            "Esta rebaja sube el precio: un importe que resta es negativo.",
            "This reduction raises the fee: an amount that is taken off is negative.",
        ],
    ),
    (
        "charge_reduces",
        [
            "Aquest recàrrec abaixa el preu: un import que s'afegeix és positiu.",
            "Este recargo baja el precio: un importe que se añade es positivo.",
            "This charge lowers the fee: an amount that is added is positive.",
        ],
    ),
    (
        "id_twice",
        [
            "Un altre del mateix tipus ja té aquest nom.",
            "Otro del mismo tipo ya tiene este nombre.",
            "Another one of its kind has this id already.",
        ],
    ),
    (
        "not_proved",
        [
            "No demostrat: hi ha més classes de participants de les que es van mirar.",
            "No demostrado: hay más clases de participantes de las que se miraron.",
            "Not proved: there are more classes of entrants than were looked at.",
        ],
    ),
    (
        "section_without_fees",
        [
            "La categoria no té preus: la inscripció hi és tancada. Si és el que es vol, digueu fees = \"none\".",
            "La categoría no tiene precios: la inscripción está cerrada. Si es lo que se quiere, diga fees = \"none\".",
            "The section has no fees: entry to it is closed. If that is meant, say fees = \"none\".",
        ],
    ),
    (
        "promotion_idle",
        [
            "La promoció no rebaixa res: per separat mai no costen més.",
            "La promoción no rebaja nada: por separado nunca cuestan más.",
            "The promotion takes nothing off: one by one they never cost more.",
        ],
    ),
    (
        "opens_after_closes",
        [
            "La inscripció s'obre quan ja és tancada.",
            "La inscripción se abre cuando ya está cerrada.",
            "Entry opens when it is closed already.",
        ],
    ),
    (
        "closes_after_play",
        [
            "La inscripció es tanca quan el torneig ja ha acabat.",
            "La inscripción se cierra cuando el torneo ya ha terminado.",
            "Entry closes after the tournament is over.",
        ],
    ),
    (
        "closes_after_start",
        [
            "La inscripció es tanca després de començar la primera ronda.",
            "La inscripción se cierra después de empezar la primera ronda.",
            "Entry closes after the first round has begun.",
        ],
    ),
    (
        "pay_by_before_opens",
        [
            "El termini de pagament acaba abans d'obrir-se la inscripció.",
            "El plazo de pago acaba antes de abrirse la inscripción.",
            "Payment ends before entry opens.",
        ],
    ),
    (
        "warned_after_full",
        [
            "L'avís d'aforament arriba quan ja és ple.",
            "El aviso de aforo llega cuando ya está lleno.",
            "The capacity warning comes when it is full already.",
        ],
    ),
    (
        "no_way_to_pay",
        [
            "Hi ha preus però cap mitjà de pagament.",
            "Hay precios pero ningún medio de pago.",
            "There are fees but no means of payment.",
        ],
    ),
    (
        "refund_grows",
        [
            "Qui cancel·la més tard recupera més que qui cancel·la abans.",
            "Quien cancela más tarde recupera más que quien cancela antes.",
            "Who cancels later gets more back than who cancels earlier.",
        ],
    ),
    (
        "bye_round_unknown",
        [
            "Els descansos parlen d'una ronda que no existeix.",
            "Los descansos hablan de una ronda que no existe.",
            "The byes name a round that does not exist.",
        ],
    ),
    (
        "repeated_time",
        [
            "Aquesta hora local es repeteix pel canvi d'hora: compta la segona.",
            "Esta hora local se repite por el cambio de hora: cuenta la segunda.",
            "A clock change repeats this local time: the later one counts.",
        ],
    ),
    (
        "skipped_time",
        [
            "Aquesta hora local no existeix pel canvi d'hora: compta el primer instant de després.",
            "Esta hora local no existe por el cambio de hora: cuenta el primer instante de después.",
            "A clock change skips this local time: the first instant after it counts.",
        ],
    ),
    (
        "wrong_weekday",
        [
            "El dia de la setmana no és el d'aquesta data.",
            "El día de la semana no es el de esta fecha.",
            "The weekday is not that of this date.",
        ],
    ),
    (
        "article_missing",
        [
            "Aquí no es diu de quin article ve.",
            "Aquí no se dice de qué artículo viene.",
            "It is not said which article this comes from.",
        ],
    ),
    (
        "rows_overlap",
        [
            "Una altra fila val per als mateixos participants, i el fitxer diu que només en val una.",
            "Otra fila vale para los mismos participantes, y el fichero dice que solo vale una.",
            "Another row applies to the same entrants, though the file says that only one does.",
        ],
    ),
    (
        "total_too_large",
        [
            "El total és massa gran per a la passarel·la de pagament.",
            "El total es demasiado grande para la pasarela de pago.",
            "The total is more than the gateway can charge.",
        ],
    ),
    (
        "total_too_fine",
        [
            "La passarel·la de pagament no cobra un total tan fraccionat.",
            "La pasarela de pago no cobra un total tan fraccionado.",
            "The gateway does not charge a total in such small units.",
        ],
    ),
    (
        "window_beyond_entry",
        [
            "Aquest termini va més enllà del temps en què es fan inscripcions o pagaments.",
            "Este plazo va más allá del tiempo en que se hacen inscripciones o pagos.",
            "This window reaches beyond the time in which entries, or payments, are taken.",
        ],
    ),
    (
        "pay_by_before_closes",
        [
            "El termini de pagament acaba abans de tancar-se la inscripció: qui s'inscrigui després no podrà pagar.",
            "El plazo de pago acaba antes de cerrarse la inscripción: quien se inscriba después no podrá pagar.",
            "Payment ends before entry closes: who enters after it cannot pay.",
        ],
    ),
    (
        "pay_by_after_play",
        [
            "El termini de pagament acaba quan el torneig ja ha acabat.",
            "El plazo de pago acaba cuando el torneo ya ha terminado.",
            "Payment ends after the tournament is over.",
        ],
    ),
    (
        "refund_after_play",
        [
            "Aquest termini de cancel·lació va més enllà del torneig.",
            "Este plazo de cancelación va más allá del torneo.",
            "This window of cancelling reaches beyond the tournament.",
        ],
    ),
    (
        "ages_far_from_play",
        [
            "Les edats compten en un dia a més d'un any del torneig.",
            "Las edades cuentan en un día a más de un año del torneo.",
            "Ages count on a day more than a year from play.",
        ],
    ),
    (
        "text_empty",
        [
            "El text és buit en alguna de les tres llengües.",
            "El texto está vacío en alguna de las tres lenguas.",
            "The text is empty in some of the three languages.",
        ],
    ),
    (
        "answer_left_out",
        [
            "Qui no respon aquesta pregunta no és admès, i no cal respondre-la: hi falta `required = true`?",
            "Quien no responde a esta pregunta no es admitido, y no hay que responderla: ¿falta `required = true`?",
            "Who does not answer this question is not admitted, and nobody has to answer it: is `required = true` missing?",
        ],
    ),
    (
        "to_be_written",
        [
            "Aquí encara s'ha d'escriure una cosa: hi diu TODO.",
            "Aquí aún hay que escribir algo: dice TODO.",
            "Something is still to be written here: it says TODO.",
        ],
    ),
    (
        "no_seats",
        [
            "Zero places: ningú no hi pot entrar.",
            "Cero plazas: nadie puede entrar.",
            "No seats: nobody can have one.",
        ],
    ),
    (
        "seats_implied",
        [
            "Aquest aforament no compta mai: un altre, no més gran, ja val per a les mateixes categories.",
            "Este aforo no cuenta nunca: otro, no mayor, ya vale para las mismas categorías.",
            "These seats never count: another figure, no larger, is of the same sections already.",
        ],
    ),
    (
        "refund_by_no_card",
        [
            "Els diners es tornen per targeta, i no se'n pren cap.",
            "El dinero se devuelve por tarjeta, y no se acepta ninguna.",
            "Money goes back by card, and no card is taken.",
        ],
    ),
    (
        "sum_not_rounded",
        [
            "L'import no és múltiple de `round_to`.",
            "El importe no es múltiplo de `round_to`.",
            "The sum is not a multiple of `round_to`.",
        ],
    ),
    (
        "reduction_cut",
        [
            "Per a alguns la rebaixa és més gran que el que hi ha: només es treu el que hi ha.",
            "Para algunos la rebaja es mayor que lo que hay: solo se resta lo que hay.",
            "For some the reduction is more than there is: it takes off only what there is.",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_page_names_every_finding_and_no_other() {
        let page = include_str!("../../../docs/regulation-language.md");
        let (_, section) = page.split_once("## What `check` tells").unwrap();
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        let cells = rows.filter_map(|row| row.split('|').nth(1));
        let named: BTreeSet<&str> = cells
            .flat_map(|cell| cell.split('`').skip(1).step_by(2))
            .collect();
        let known: BTreeSet<&str> = MESSAGES.iter().map(|message| message.0).collect();
        assert_eq!(named, known);
    }
}
