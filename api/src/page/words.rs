//! The sentences of the page in its three languages. What stands in braces is filled in.

use domain::{ByePoints, Language, Status};

/// One sentence: Catalan, Spanish, English.
#[derive(Clone, Copy)]
pub(super) struct Words([&'static str; 3]);

impl Words {
    /// The sentence in one language.
    pub fn say(self, language: Language) -> &'static str {
        match language {
            Language::Ca => self.0[0],
            Language::Es => self.0[1],
            Language::En => self.0[2],
        }
    }

    /// The sentence with its values, each by its name.
    pub fn with(self, language: Language, values: &[(&str, &str)]) -> String {
        let mut sentence = self.say(language).to_owned();
        for (name, value) in values {
            sentence = sentence.replace(&format!("{{{name}}}"), value);
        }
        sentence
    }
}

macro_rules! words {
    ($($name:ident = $ca:literal, $es:literal, $en:literal;)*) => {
        $(pub(super) const $name: Words = Words([$ca, $es, $en]);)*

        #[cfg(test)]
        const ALL: &[Words] = &[$($name,)*];
    };
}

words! {
    TITLE = "Inscripció {reference}", "Inscripción {reference}", "Entry {reference}";
    CLOSED = "La vostra inscripció", "Su inscripción", "Your entry";
    OPEN_FROM_MAIL = "Obriu aquesta pàgina des de l'enllaç del darrer correu que us hem enviat.",
        "Abra esta página desde el enlace del último correo que le hemos enviado.",
        "Please open this page from the link in the newest mail that we sent you.";
    REFUSED = "No s'ha pogut fer.", "No se ha podido hacer.", "That did not work.";

    PAYMENT = "Pagament", "Pago", "Payment";
    PAY_BY = "Cal pagar {due} abans de {until}; si no, la plaça es dona a d'altres.",
        "Hay que pagar {due} antes de {until}; si no, la plaza se da a otros.",
        "{due} must be paid before {until}, or the place is given to others.";
    PRICE_UNTIL = "Aquest preu val si es paga abans de {until}; després canvia.",
        "Este precio vale si se paga antes de {until}; después cambia.",
        "This price holds if it is paid before {until}; after that it changes.";
    STILL_DUE = "Queden per pagar {due}.", "Quedan por pagar {due}.", "{due} is still to be paid.";
    RUN_OUT = "S'ha acabat el termini de pagament.", "Se ha agotado el plazo de pago.", "The time to pay has run out.";
    PAY = "Paga {due} amb targeta", "Pagar {due} con tarjeta", "Pay {due} by card";
    IN_PROCESS = "El vostre pagament de {sum} està en camí; us escriurem quan arribi.",
        "Su pago de {sum} está en camino; le escribiremos cuando llegue.",
        "Your payment of {sum} is on its way; we will write when it arrives.";
    IN_CHECK = "Hem anotat el vostre pagament de {sum} amb el número {number}. L'organització el comprovarà i us escriurem.",
        "Hemos anotado su pago de {sum} con el número {number}. La organización lo comprobará y le escribiremos.",
        "We have noted your payment of {sum} with the number {number}. The organiser will check it and we will write.";
    NOT_FOUND = "L'organització no ha trobat el vostre pagament de {sum} amb el número {number}.",
        "La organización no ha encontrado su pago de {sum} con el número {number}.",
        "The organiser has not found your payment of {sum} with the number {number}.";
    SET_ASIDE = "Hem rebut un pagament de {sum} que no és el que havíem demanat. No es perd res: l'organització el mirarà i us escriurà.",
        "Hemos recibido un pago de {sum} que no es el que habíamos pedido. No se pierde nada: la organización lo mirará y le escribirá.",
        "We have received a payment of {sum} that is not the one we asked for. Nothing is lost: the organiser will look at it and write to you.";

    AT_THE_BANK = "Com pagar al banc", "Cómo pagar en el banco", "How to pay at the bank";
    AMOUNT = "Import", "Importe", "Amount";
    BEFORE = "Abans de", "Antes de", "Before";
    WHERE = "On", "Dónde", "Where";
    THE_ORGANISERS = "al compte o al taulell de l'organització, que trobareu a les bases",
        "en la cuenta o la ventanilla de la organización, que encontrará en las bases",
        "the organiser's account or desk, which you find in the regulations";
    WRITE = "Escriviu-hi", "Escriba en él", "Write on it";
    TELL_US = "Ja heu pagat? Digueu-nos-ho", "¿Ya ha pagado? Díganoslo", "Paid already? Tell us";
    METHOD = "Com heu pagat", "Cómo ha pagado", "How you paid";
    SLIP = "Al taulell, amb justificant", "En ventanilla, con justificante", "At the counter, with a slip";
    TRANSFER = "Per transferència", "Por transferencia", "By transfer";
    NUMBER = "Número del justificant", "Número del justificante", "Number on the slip";
    DATE = "Data del justificant (si en porta)", "Fecha del justificante (si la lleva)", "Date on the slip (if it has one)";
    SUM = "Import pagat ({currency})", "Importe pagado ({currency})", "Amount paid ({currency})";
    NOT_A_SUM = "Escriviu l'import amb xifres, com ara 60,00.", "Escriba el importe con cifras, como 60,00.",
        "Write the amount in figures, such as 60.00.";
    SEND = "Envia", "Enviar", "Send";

    ENTRIES = "Inscripcions", "Inscripciones", "Entries";
    ERASED = "(nom esborrat)", "(nombre borrado)", "(name erased)";
    FORM = "Número", "Número", "Number";
    SECTION = "Grup", "Grupo", "Section";
    TO_BE_DECIDED = "per decidir", "por decidir", "to be decided";
    STATUS = "Estat", "Estado", "Status";
    PLACE = "Lloc a la llista d'espera", "Puesto en la lista de espera", "Place in the waiting list";
    MONEY_WAITS = "El pagament espera amb la inscripció, per ordre d'arribada entre els qui han pagat. Si no queda cap plaça lliure abans que comenci el joc, es torna tot.",
        "El pago espera con la inscripción, por orden de llegada entre quienes han pagado. Si no queda ninguna plaza libre antes de que empiece el juego, se devuelve todo.",
        "The payment waits with the entry, in the order of arrival among those who have paid. If no place comes free before play begins, all of it goes back.";
    PRICE = "Preu", "Precio", "Price";
    BYES = "Descansos", "Descansos", "Byes";
    BYE_HALF = "ronda {round} (mig punt): {word}", "ronda {round} (medio punto): {word}", "round {round} (half a point): {word}";
    BYE_ZERO = "ronda {round} (sense punts): {word}", "ronda {round} (sin puntos): {word}", "round {round} (no points): {word}";
    BYE_ASKED = "demanat, l'àrbitre ha de decidir", "pedido, el árbitro ha de decidir", "asked for, the arbiter has to decide";
    BYE_GRANTED = "concedit", "concedido", "granted";
    BYE_REFUSED = "no concedit", "no concedido", "not granted";

    OF_ENTRY = "núm. {number}: {text}", "n.º {number}: {text}", "no. {number}: {text}";
    TOTAL = "Total", "Total", "Total";
    PAID = "Pagat", "Pagado", "Paid";
    REFUNDED = "Tornat", "Devuelto", "Given back";
    KEPT = "Es queda l'organització", "Se queda la organización", "Kept by the organiser";
    DUE = "Per pagar", "Por pagar", "To pay";
    REFUNDS = "Devolucions", "Devoluciones", "Refunds";
    BACK_UNDER_WAY = "{sum} a la targeta: en camí. El banc pot trigar de cinc a deu dies a mostrar-ho.",
        "{sum} a la tarjeta: en camino. El banco puede tardar de cinco a diez días en mostrarlo.",
        "{sum} to the card: on its way. The bank may take five to ten days to show it.";
    BACK_DONE = "{sum}: tornats.", "{sum}: devueltos.", "{sum}: given back.";
    BACK_CREDIT = "{sum} com a crèdit amb l'organització per a una altra inscripció.", "{sum} como crédito con la organización para otra inscripción.", "{sum} as a credit with the organiser for another entry.";
    BACK_SPENT = "{sum}: crèdit ja fet servir.", "{sum}: crédito ya utilizado.", "{sum}: credit already spent.";
    BACK_OWED = "{sum} per transferència, que farà l'organització.", "{sum} por transferencia, que hará la organización.",
        "{sum} by bank transfer, which the organiser will make.";

    LEAVE = "Anul·la la inscripció", "Anular la inscripción", "Cancel the entry";
    LEAVE_ASK = "Voleu anul·lar la inscripció?", "¿Quiere anular la inscripción?", "Cancel the entry?";
    LEAVE_NOTHING = "No hi ha res a tornar.", "No hay nada que devolver.", "There is nothing to give back.";
    LEAVE_BACK = "Us tornarem {back}. L'organització es queda {kept}.", "Le devolveremos {back}. La organización se queda {kept}.",
        "You will get {back} back. The organiser keeps {kept}.";
    LEAVE_ARTICLE = "Segons les bases ({article}): {clause}", "Según las bases ({article}): {clause}",
        "As the regulations say ({article}): {clause}";
    LEAVE_OR_CREDIT = "O bé, si preferiu un crèdit per a una altra inscripció:", "O bien, si prefiere un crédito para otra inscripción:", "Or, if you would rather have a credit for another entry:";
    LEAVE_CREDIT = "Sí, anul·la-la per un crèdit", "Sí, anularla por un crédito", "Yes, cancel it for a credit";
    LEAVE_YES = "Sí, anul·la-la", "Sí, anularla", "Yes, cancel it";
    LEAVE_NO = "No, torna a la inscripció", "No, volver a la inscripción", "No, back to the entry";

    NEW = "nova", "nueva", "new";
    WAITLISTED = "a la llista d'espera", "en lista de espera", "waiting list";
    HELD = "per pagar", "por pagar", "to be paid";
    PENDING_APPROVAL = "per aprovar", "por aprobar", "to be approved";
    CONFIRMED = "confirmada", "confirmada", "confirmed";
    EXPIRED = "caducada", "caducada", "expired";
    CANCELLED_BY_PLAYER = "anul·lada", "anulada", "cancelled";
    CANCELLED_BY_ORGANISER = "anul·lada per l'organització", "anulada por la organización", "cancelled by the organiser";
    REJECTED = "no acceptada", "no aceptada", "not accepted";
    WITHDRAWN = "retirada", "retirada", "withdrawn";
}

/// Where an entry stands, in the words of the mails.
pub(super) fn of_status(status: Status) -> Words {
    match status {
        Status::New => NEW,
        Status::Waitlisted => WAITLISTED,
        Status::Held => HELD,
        Status::PendingApproval => PENDING_APPROVAL,
        Status::Confirmed => CONFIRMED,
        Status::Expired => EXPIRED,
        Status::CancelledByPlayer => CANCELLED_BY_PLAYER,
        Status::CancelledByOrganiser => CANCELLED_BY_ORGANISER,
        Status::Rejected => REJECTED,
        Status::Withdrawn => WITHDRAWN,
    }
}

/// A bye with the arbiter's word on it.
pub(super) fn of_bye(points: ByePoints, word: &str) -> (Words, Words) {
    let sentence = match points {
        ByePoints::Half => BYE_HALF,
        ByePoints::Zero => BYE_ZERO,
    };
    let word = match word {
        "granted" => BYE_GRANTED,
        "refused" => BYE_REFUSED,
        _ => BYE_ASKED,
    };
    (sentence, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in braces, sorted.
    fn names(sentence: &str) -> Vec<&str> {
        let parts = sentence.split('{').skip(1);
        let mut names: Vec<&str> = parts.filter_map(|part| part.split('}').next()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn the_three_languages_fill_in_the_same() {
        for Words([ca, es, en]) in ALL {
            assert!(!ca.is_empty() && !es.is_empty() && !en.is_empty());
            assert_eq!((names(ca), names(es)), (names(en), names(en)), "{en}");
        }
    }

    #[test]
    fn a_status_has_the_words_of_the_mails() {
        let mails = [
            include_str!("../../../notifier/locales/ca/mail.ftl"),
            include_str!("../../../notifier/locales/es/mail.ftl"),
            include_str!("../../../notifier/locales/en/mail.ftl"),
        ];
        for status in Status::ALL.into_iter().filter(|s| *s != Status::New) {
            for (mail, language) in mails.iter().zip(Language::ALL) {
                let line = format!("\nstatus-{status} = {}\n", of_status(status).say(language));
                let found = format!("{}\n", mail.trim_end()).contains(&line);
                assert!(found, "{line}");
            }
        }
    }
}
