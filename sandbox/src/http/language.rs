//! The languages of the pages.

/// What the pages say, in one language.
pub(super) struct Words {
    pub(super) tag: &'static str,
    pub(super) pay: &'static str,
    pub(super) rehearsal: &'static str,
    pub(super) total: &'static str,
    pub(super) choose: &'static str,
    pub(super) type_number: &'static str,
    pub(super) number: &'static str,
    pub(super) number_hint: &'static str,
    pub(super) email: &'static str,
    pub(super) back: &'static str,
    pub(super) error: &'static str,
    pub(super) declined: &'static str,
    pub(super) funds: &'static str,
    pub(super) expired_card: &'static str,
    pub(super) code: &'static str,
    pub(super) wrong_number: &'static str,
    pub(super) unauthenticated: &'static str,
    pub(super) retry: &'static str,
    pub(super) expired: &'static str,
    pub(super) paid: &'static str,
    pub(super) continue_: &'static str,
    pub(super) unknown: &'static str,
    pub(super) bank: &'static str,
    pub(super) bank_asks: &'static str,
    pub(super) authenticate: &'static str,
    pub(super) fail: &'static str,
    pub(super) nothing_to_do: &'static str,
}

const CATALAN: Words = Words {
    tag: "ca",
    pay: "Paga",
    rehearsal: "Això és un assaig: no es mou cap diner i només valen les targetes de prova.",
    total: "Total",
    choose: "Tria una targeta de prova",
    type_number: "Escric el número",
    number: "Número de targeta",
    number_hint: "Només si no n'has triat cap a la llista.",
    email: "Correu electrònic",
    back: "Torna sense pagar",
    error: "Error",
    declined: "El banc ha rebutjat la targeta.",
    funds: "La targeta no té prou saldo.",
    expired_card: "La targeta ha caducat.",
    code: "El codi de seguretat és incorrecte.",
    wrong_number: "Aquest número no és de cap targeta de prova.",
    unauthenticated: "El banc no ha pogut comprovar que ets tu.",
    retry: "No s'ha cobrat res. Torna-ho a provar o fes servir una altra targeta.",
    expired: "Aquest pagament ha caducat. Torna a la inscripció per començar-lo de nou.",
    paid: "Aquest pagament ja està fet o en curs.",
    continue_: "Continua",
    unknown: "Aquest pagament no existeix.",
    bank: "Comprovació del teu banc",
    bank_asks: "El banc de prova pregunta si autoritzes aquest pagament.",
    authenticate: "Autoritza",
    fail: "Rebutja",
    nothing_to_do: "Aquest pagament no espera cap autorització.",
};

const SPANISH: Words = Words {
    tag: "es",
    pay: "Pagar",
    rehearsal: "Esto es un ensayo: no se mueve dinero y solo valen las tarjetas de prueba.",
    total: "Total",
    choose: "Elige una tarjeta de prueba",
    type_number: "Escribo el número",
    number: "Número de tarjeta",
    number_hint: "Solo si no has elegido ninguna en la lista.",
    email: "Correo electrónico",
    back: "Volver sin pagar",
    error: "Error",
    declined: "El banco ha rechazado la tarjeta.",
    funds: "La tarjeta no tiene saldo suficiente.",
    expired_card: "La tarjeta ha caducado.",
    code: "El código de seguridad es incorrecto.",
    wrong_number: "Este número no es de ninguna tarjeta de prueba.",
    unauthenticated: "El banco no ha podido comprobar que eres tú.",
    retry: "No se ha cobrado nada. Inténtalo de nuevo o usa otra tarjeta.",
    expired: "Este pago ha caducado. Vuelve a la inscripción para empezarlo de nuevo.",
    paid: "Este pago ya está hecho o en curso.",
    continue_: "Continuar",
    unknown: "Este pago no existe.",
    bank: "Comprobación de tu banco",
    bank_asks: "El banco de prueba pregunta si autorizas este pago.",
    authenticate: "Autorizar",
    fail: "Rechazar",
    nothing_to_do: "Este pago no espera ninguna autorización.",
};

const ENGLISH: Words = Words {
    tag: "en",
    pay: "Pay",
    rehearsal: "This is a rehearsal: no money moves, and only test cards work.",
    total: "Total",
    choose: "Pick a test card",
    type_number: "I type the number",
    number: "Card number",
    number_hint: "Only if you picked none from the list.",
    email: "E-mail",
    back: "Go back without paying",
    error: "Error",
    declined: "The bank declined the card.",
    funds: "The card has insufficient funds.",
    expired_card: "The card has expired.",
    code: "The security code is incorrect.",
    wrong_number: "This is not the number of a test card.",
    unauthenticated: "The bank could not make sure that it is you.",
    retry: "Nothing was charged. Try again or use another card.",
    expired: "This payment has expired. Go back to the registration to start again.",
    paid: "This payment is done or under way.",
    continue_: "Continue",
    unknown: "There is no such payment.",
    bank: "Your bank's check",
    bank_asks: "The test bank asks whether you authorise this payment.",
    authenticate: "Authorise",
    fail: "Refuse",
    nothing_to_do: "This payment waits for no authorisation.",
};

/// The session's locale if there are words in it; for `auto`, none or another, the first of the browser's languages
/// that there are words in, else English.
pub(super) fn words(locale: Option<&str>, accepted: Option<&str>) -> &'static Words {
    let wanted = accepted
        .unwrap_or_default()
        .split(',')
        .map(|part| part.split(';').next().unwrap_or(part).trim());
    let found =
        locale
            .into_iter()
            .chain(wanted)
            .find_map(|tag| match tag.split(['-', '_']).next() {
                Some("ca") => Some(&CATALAN),
                Some("es") => Some(&SPANISH),
                Some("en") => Some(&ENGLISH),
                _ => None,
            });
    found.unwrap_or(&ENGLISH)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn the_locale_comes_before_the_browser() {
        assert_eq!(words(Some("es"), Some("ca")).tag, "es");
        assert_eq!(words(Some("auto"), Some("ca-ES,es;q=0.8")).tag, "ca");
        assert_eq!(words(None, Some("de, es;q=0.5")).tag, "es");
        assert_eq!(words(Some("fr"), None).tag, "en");
    }
}
