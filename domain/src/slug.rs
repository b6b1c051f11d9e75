//! The table of problems: each slug with its kind and its sentence. `urn:enroc:problem:<slug>` at the REST door, the
//! reason of `google.rpc.ErrorInfo` at the gRPC door.

use crate::{Kind, Text};

macro_rules! slugs {
    ($($variant:ident = $slug:literal, $kind:ident, $ca:literal, $es:literal, $en:literal;)*) => {
        /// Which problem.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[expect(missing_docs, reason = "the sentence in the table says what each means")]
        pub enum Slug { $($variant,)* }

        impl Slug {
            /// Every slug, in the order of the table.
            pub const ALL: &'static [Slug] = &[$(Slug::$variant,)*];

            /// The stable code.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Slug::$variant => $slug,)* }
            }

            /// Its kind.
            #[must_use]
            pub fn kind(self) -> Kind {
                match self { $(Slug::$variant => Kind::$kind,)* }
            }

            /// Its sentence.
            #[must_use]
            pub fn title(self) -> Text {
                match self { $(Slug::$variant => Text::new($ca, $es, $en),)* }
            }
        }
    };
}

slugs! {
    MalformedBody = "malformed-body", Malformed,
        "El cos de la petició no es pot llegir.", "El cuerpo de la petición no se puede leer.", "The body of the request cannot be read.";
    InvalidFields = "invalid-fields", Invalid,
        "Hi ha camps incorrectes.", "Hay campos incorrectos.", "Some fields are wrong.";
    Ineligible = "ineligible", Invalid,
        "Les bases no admeten aquesta inscripció.", "Las bases no admiten esta inscripción.", "The regulations do not admit this entry.";
    Unauthenticated = "unauthenticated", Unauthenticated,
        "Cal una clau o un enllaç vàlid.", "Hace falta una clave o un enlace válido.", "A valid key or link is needed.";
    Denied = "denied", Denied,
        "Aquesta clau no ho permet.", "Esta clave no lo permite.", "This key may not do that.";
    WrongToken = "wrong-token", Denied,
        "L'enllaç no és d'aquesta comanda.", "El enlace no es de este pedido.", "The link is not of this order.";
    UnknownTournament = "unknown-tournament", NotFound,
        "No hi ha cap torneig amb aquest nom.", "No hay ningún torneo con ese nombre.", "There is no such tournament.";
    UnknownOrder = "unknown-order", NotFound,
        "No hi ha cap comanda amb aquest identificador.", "No hay ningún pedido con ese identificador.", "There is no such order.";
    UnknownEntry = "unknown-entry", NotFound,
        "No hi ha cap inscripció amb aquest identificador.", "No hay ninguna inscripción con ese identificador.", "There is no such entry.";
    UnknownPayment = "unknown-payment", NotFound,
        "No hi ha cap pagament amb aquest identificador.", "No hay ningún pago con ese identificador.", "There is no such payment.";
    UnknownRefund = "unknown-refund", NotFound,
        "No hi ha cap devolució amb aquest identificador.", "No hay ninguna devolución con ese identificador.", "There is no such refund.";
    UnknownVersion = "unknown-version", NotFound,
        "No hi ha cap versió de les bases amb aquest número.", "No hay ninguna versión de las bases con ese número.", "There is no version of the regulations with this number.";
    UnknownPath = "unknown-path", NotFound,
        "No hi ha res en aquesta adreça.", "No hay nada en esta dirección.", "There is nothing at this address.";
    UnknownMethod = "unknown-method", Invalid,
        "Aquesta adreça no admet aquest mètode.", "Esta dirección no admite ese método.", "This address does not take that method.";
    KeyReused = "idempotency-key-reused", Conflict,
        "La clau d'idempotència ja es va fer servir per a una altra petició.", "La clave de idempotencia ya se usó para otra petición.", "The idempotency key was used for another request.";
    KeyMissing = "idempotency-key-missing", Invalid,
        "Cal una clau d'idempotència.", "Hace falta una clave de idempotencia.", "An idempotency key is needed.";
    AlreadyEntered = "already-entered", Conflict,
        "Aquest participant ja està inscrit.", "Este participante ya está inscrito.", "This entrant is entered already.";
    CodeUsedUp = "code-used-up", Conflict,
        "Aquest codi ja no té usos.", "Este código ya no tiene usos.", "This code has no uses left.";
    Raced = "changed-meanwhile", Conflict,
        "Ha canviat mentrestant; torneu-ho a provar.", "Ha cambiado mientras tanto; inténtelo de nuevo.", "It changed meanwhile; try again.";
    IllegalMove = "illegal-move", IllegalState,
        "En l'estat actual no és possible.", "En el estado actual no es posible.", "Not possible in its present state.";
    NotOpen = "not-open", IllegalState,
        "L'organització encara no ha obert la inscripció: falta fixar l'aforament.", "La organización aún no ha abierto la inscripción: falta fijar el aforo.", "The organiser has not opened entry yet: the capacity is not set.";
    NothingToPay = "nothing-to-pay", IllegalState,
        "No hi ha res a pagar.", "No hay nada que pagar.", "There is nothing to pay.";
    HoldTooShort = "hold-too-short", IllegalState,
        "Ja no queda temps per pagar.", "Ya no queda tiempo para pagar.", "There is no time left to pay.";
    MethodNotOffered = "method-not-offered", Invalid,
        "Aquest torneig no admet aquest mitjà de pagament.", "Este torneo no admite ese medio de pago.", "This tournament does not take that means of payment.";
    NothingLeft = "nothing-left", IllegalState,
        "No queda tant per tornar.", "No queda tanto por devolver.", "There is not that much left to refund.";
    AmountMismatch = "amount-mismatch", Conflict,
        "L'import o la moneda no són els de la comanda.", "El importe o la moneda no son los del pedido.", "The amount or currency is not the order's.";
    SlipUsed = "slip-used", Conflict,
        "Aquest comprovant ja s'ha fet servir per a un altre pagament.", "Este comprobante ya se usó para otro pago.", "This slip was used for another payment already.";
    PaymentRefused = "payment-refused", PaymentRefused,
        "La passarel·la no ha acceptat el pagament.", "La pasarela no ha aceptado el pago.", "The gateway refused the payment.";
    BadSignature = "bad-signature", Malformed,
        "La signatura no és vàlida.", "La firma no es válida.", "The signature is not valid.";
    TooLarge = "too-large", TooLarge,
        "La petició passa d'1 MiB.", "La petición pasa de 1 MiB.", "The request is larger than 1 MiB.";
    Overload = "overload", Overload,
        "Massa peticions alhora; torneu-ho a provar d'aquí a uns segons.", "Demasiadas peticiones a la vez; inténtelo dentro de unos segundos.", "Too many requests at once; try again in a few seconds.";
    DatabaseDown = "database-unavailable", Overload,
        "La base de dades no respon; torneu-ho a provar d'aquí a uns segons.", "La base de datos no responde; inténtelo dentro de unos segundos.", "The database does not answer; try again in a few seconds.";
    GatewayDown = "gateway-unavailable", Overload,
        "La passarel·la de pagament no respon; torneu-ho a provar.", "La pasarela de pago no responde; inténtelo de nuevo.", "The payment gateway does not answer; try again.";
    Internal = "internal", Internal,
        "Hi ha hagut un error intern.", "Ha habido un error interno.", "Something went wrong on our side.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_unique_and_speak_three_languages() {
        let mut seen = std::collections::BTreeSet::new();
        for slug in Slug::ALL {
            assert!(seen.insert(slug.as_str()), "{slug:?} twice");
            let title = slug.title();
            assert!(title.ca != title.es && title.es != title.en, "{slug:?}");
        }
    }
}
