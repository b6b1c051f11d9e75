//! The test cards: what each number and each `pm_card_…` token does.
//! <https://docs.stripe.com/testing>; the two `pm_sandbox_…` cards are this server's own.

use crate::refusal::Refusal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decline {
    pub(crate) code: &'static str,
    pub(crate) decline_code: &'static str,
    pub(crate) message: &'static str,
}

impl Decline {
    pub(crate) fn refusal(self) -> Refusal {
        Refusal::card(self.code, self.message).with("decline_code", self.decline_code)
    }
}

/// What happens when a card is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    Succeeds,
    Declines(Decline),
    /// Asks for 3-D Secure first; then succeeds, or is declined as stated.
    Authenticates(Option<Decline>),
    /// Asynchronous: in processing for a while, then succeeds or fails.
    Processes {
        succeeds: bool,
    },
    /// The charge succeeds, its refunds do at first and fail later.
    RefundFailsLate,
    /// The charge succeeds, its refunds are pending for a while.
    RefundPends,
    /// The charge succeeds and is disputed at once with this reason.
    Disputed(&'static str),
}

#[derive(Debug)]
pub(crate) struct Card {
    pub(crate) number: &'static str,
    pub(crate) brand: &'static str,
    pub(crate) country: &'static str,
    tokens: &'static [&'static str],
    pub(crate) behaviour: Behaviour,
}

impl Card {
    pub(crate) fn last4(&self) -> &'static str {
        &self.number[self.number.len() - 4..]
    }
}

const fn decline(code: &'static str, decline_code: &'static str, message: &'static str) -> Decline {
    Decline {
        code,
        decline_code,
        message,
    }
}

const GENERIC: Decline = decline(
    "card_declined",
    "generic_decline",
    "Your card was declined.",
);
const FUNDS: Decline = decline(
    "card_declined",
    "insufficient_funds",
    "Your card has insufficient funds.",
);
const LOST: Decline = decline("card_declined", "lost_card", "Your card was declined.");
const STOLEN: Decline = decline("card_declined", "stolen_card", "Your card was declined.");
const VELOCITY: Decline = decline(
    "card_declined",
    "card_velocity_exceeded",
    "Your card was declined for making repeated attempts too frequently or exceeding its amount limit.",
);
const EXPIRED: Decline = decline("expired_card", "expired_card", "Your card has expired.");
const CVC: Decline = decline(
    "incorrect_cvc",
    "incorrect_cvc",
    "Your card's security code is incorrect.",
);
const PROCESSING: Decline = decline(
    "processing_error",
    "processing_error",
    "An error occurred while processing your card. Try again in a little bit.",
);
const NUMBER: Decline = decline(
    "incorrect_number",
    "incorrect_number",
    "Your card number is incorrect.",
);

const fn visa(number: &'static str, tokens: &'static [&'static str], behaviour: Behaviour) -> Card {
    Card {
        number,
        brand: "visa",
        country: "US",
        tokens,
        behaviour,
    }
}

use Behaviour::{
    Authenticates, Declines, Disputed, Processes, RefundFailsLate, RefundPends, Succeeds,
};

pub(crate) const CARDS: &[Card] = &[
    visa("4242424242424242", &["card_visa"], Succeeds),
    Card {
        number: "5555555555554444",
        brand: "mastercard",
        country: "US",
        tokens: &["card_mastercard"],
        behaviour: Succeeds,
    },
    Card {
        number: "378282246310005",
        brand: "amex",
        country: "US",
        tokens: &["card_amex"],
        behaviour: Succeeds,
    },
    Card {
        number: "4000007240000007",
        brand: "visa",
        country: "ES",
        tokens: &["card_es"],
        behaviour: Succeeds,
    },
    visa("4000056655665556", &["card_visa_debit"], Succeeds),
    visa(
        "4000000000000002",
        &["card_visa_chargeDeclined", "card_chargeDeclined"],
        Declines(GENERIC),
    ),
    visa(
        "4000000000009995",
        &[
            "card_visa_chargeDeclinedInsufficientFunds",
            "card_chargeDeclinedInsufficientFunds",
        ],
        Declines(FUNDS),
    ),
    visa(
        "4000000000009987",
        &["card_visa_chargeDeclinedLostCard"],
        Declines(LOST),
    ),
    visa(
        "4000000000009979",
        &["card_visa_chargeDeclinedStolenCard"],
        Declines(STOLEN),
    ),
    visa(
        "4000000000006975",
        &["card_visa_chargeDeclinedVelocityLimitExceeded"],
        Declines(VELOCITY),
    ),
    visa(
        "4000000000000069",
        &["card_chargeDeclinedExpiredCard"],
        Declines(EXPIRED),
    ),
    visa(
        "4000000000000127",
        &["card_chargeDeclinedIncorrectCvc"],
        Declines(CVC),
    ),
    visa(
        "4000000000000119",
        &["card_chargeDeclinedProcessingError"],
        Declines(PROCESSING),
    ),
    visa("4242424242424241", &[], Declines(NUMBER)),
    visa(
        "4000000000000341",
        &["card_chargeCustomerFail"],
        Declines(GENERIC),
    ),
    visa(
        "4000000000003220",
        &["card_threeDSecure2Required"],
        Authenticates(None),
    ),
    visa(
        "4000000000003063",
        &["card_threeDSecureRequired"],
        Authenticates(None),
    ),
    visa(
        "4000002760003184",
        &["card_authenticationRequired"],
        Authenticates(None),
    ),
    visa(
        "4000002500003155",
        &["card_authenticationRequiredOnSetup"],
        Authenticates(None),
    ),
    visa(
        "4000008400001629",
        &["card_threeDSecureRequiredChargeDeclined"],
        Authenticates(Some(GENERIC)),
    ),
    visa(
        "4000008260003178",
        &["card_authenticationRequiredChargeDeclinedInsufficientFunds"],
        Authenticates(Some(FUNDS)),
    ),
    visa("4000000000005126", &["card_refundFail"], RefundFailsLate),
    visa("4000000000007726", &["card_pendingRefund"], RefundPends),
    visa(
        "4000000000000259",
        &["card_createDispute"],
        Disputed("fraudulent"),
    ),
    visa(
        "4000000000002685",
        &["card_createDisputeProductNotReceived"],
        Disputed("product_not_received"),
    ),
    visa(
        "4999990000000015",
        &["sandbox_processing"],
        Processes { succeeds: true },
    ),
    visa(
        "4999990000000023",
        &["sandbox_processingFails"],
        Processes { succeeds: false },
    ),
];

/// Finds a card by its number, however it is grouped.
pub(crate) fn by_number(number: &str) -> Option<&'static Card> {
    let digits: String = number
        .chars()
        .filter(|character| !matches!(character, ' ' | '-'))
        .collect();
    CARDS.iter().find(|card| card.number == digits)
}

/// Finds a card by `pm_card_visa` or `tok_visa` and their like.
pub(crate) fn by_token(token: &str) -> Option<&'static Card> {
    let (name, prefix) = match token.strip_prefix("pm_") {
        Some(name) => (name, ""),
        None => (token.strip_prefix("tok_")?, "card_"),
    };
    CARDS.iter().find(|card| {
        card.tokens
            .iter()
            .any(|other| other.strip_prefix(prefix) == Some(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luhn(number: &str) -> bool {
        let sum: u32 = number
            .bytes()
            .rev()
            .enumerate()
            .map(|(place, digit)| {
                let value = u32::from(digit - b'0') * (1 + u32::from(place % 2 == 1));
                value / 10 + value % 10
            })
            .sum();
        sum.is_multiple_of(10)
    }

    #[test]
    fn numbers_are_real_and_unique() {
        for (index, card) in CARDS.iter().enumerate() {
            let wrong_on_purpose = card.behaviour == Declines(NUMBER);
            assert_eq!(luhn(card.number), !wrong_on_purpose, "{}", card.number);
            assert!(
                CARDS[..index]
                    .iter()
                    .all(|other| other.number != card.number)
            );
            for token in card.tokens {
                assert_eq!(
                    by_token(&format!("pm_{token}")).unwrap().number,
                    card.number
                );
            }
        }
        assert_eq!(by_number("4242 4242 4242 4242").unwrap().brand, "visa");
        assert_eq!(by_token("tok_visa").unwrap().last4(), "4242");
        assert!(by_token("pm_card_unknown").is_none());
    }
}
