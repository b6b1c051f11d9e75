//! What mails ask of the desk: the link of an order, the tournament's name and zone, the article of a refund.

use std::sync::Arc;

use domain::{OrderId, Text, TournamentId};
use notifier::Venue;
use registration::Desk;
use store::orders::Order;

/// The desk as the notifier sees it.
pub(crate) struct Words {
    pub desk: Desk,
    pub public_url: Arc<str>,
}

impl notifier::Desk for Words {
    /// The page trades the token for a cookie at once, and this address is never logged here.
    fn link(&self, order: OrderId, generation: i32) -> String {
        let token = self.desk.secret().order_token(order, generation);
        format!("{}/orders/{order}?token={token}", self.public_url)
    }

    fn venue(&self, tournament: &TournamentId) -> Option<Venue> {
        let regulation = self.desk.regulation(tournament).ok()?;
        Some(Venue {
            name: regulation.name().clone(),
            time_zone: regulation.time_zone().clone(),
            sections: regulation
                .sections()
                .map(|section| (section.id.clone(), section.name.clone()))
                .collect(),
            counts_from_slip: regulation.effective() == rules::Effective::SlipGiven,
        })
    }

    fn refund_clause(&self, order: &Order, rule: &str) -> Option<(String, Text)> {
        let regulation = self.desk.regulation(&order.tournament).ok()?;
        rules::refund_clause(&regulation, rule)
    }
}
