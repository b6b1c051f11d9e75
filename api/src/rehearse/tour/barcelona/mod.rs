//! Ciutat de Barcelona: prices and reductions, cards, a free guest, a waiting list, refunds, an entry to be placed.

mod invited;
mod seats;

use domain::Player;
use jiff::civil::date;

use super::people::{entry, payer, player};
use super::steps::refunds;
use super::{Story, Tour};
use crate::failure::Failure;
use crate::rehearse::door::{Payer, Ticket};
use crate::rehearse::payer::{ASKING_CARD, DECLINED_CARD, Typed};

const TOURNAMENT: &str = "ciutat-barcelona-2026";
const CATALAN: &[&str] = &["FIDE", "FEDA", "FCE"];

const AINA: Payer = payer("Aina Puig", "aina@example.org", "ca");
const JULIEN: Payer = payer("Julien Martin", "julien@example.org", "en");
const MARTA: Payer = payer("Marta Roca", "marta@example.org", "ca");
const LATE: Payer = payer("Luc Petit", "luc@example.org", "en");

pub(super) async fn walk(tour: &mut Tour<'_>) -> Result<(), Failure> {
    tour.begin(TOURNAMENT)?;
    let outcome = opening(tour).await;
    tour.end_of("Opening", outcome);
    match general(tour).await {
        Ok(ticket) => {
            let outcome = seats::waiting_list(tour, &ticket).await;
            tour.end_of("Waiting list", outcome);
        }
        Err(halt) => tour.end_of("General entry", Err(halt)),
    }
    let outcome = licence(tour).await;
    tour.end_of("Entry with a licence of the FCE", outcome);
    let outcome = minor(tour).await;
    tour.end_of("Entry of a minor", outcome);
    let outcome = invited::guest(tour).await;
    tour.end_of("Invited grandmaster", outcome);
    let outcome = invited::unplaced(tour).await;
    tour.end_of("Entry to be placed", outcome);
    let outcome = seats::hold(tour).await;
    tour.end_of("Unpaid entry", outcome);
    let outcome = seats::closing(tour).await;
    tour.end_of("Closing", outcome);
    Ok(())
}

fn frenchman() -> Story<Player> {
    player("Martin, Julien", "FRA", 2100, &["FIDE"])
}

/// The text gives no figure, so nobody can enter before the organiser has set one.
async fn opening(tour: &mut Tour<'_>) -> Story {
    let one = [entry(Some("A"), frenchman()?)];
    tour.price("General entry to A before 21 July", &one, "60.00 EUR")
        .await?;
    let door = tour.door();
    let early = door.register(TOURNAMENT, JULIEN, &one, None).await;
    tour.refused(
        door.name(),
        "Entry before the organiser has set a capacity",
        "not-open",
        early,
    )?;
    let door = tour.door();
    let opened = door.open(TOURNAMENT, 40).await;
    tour.done(door.name(), "The organiser opens it for 40", opened)
}

async fn general(tour: &mut Tour<'_>) -> Story<Ticket> {
    let one = [entry(Some("A"), frenchman()?)];
    let ticket = tour
        .enter("General entry to A", JULIEN, &one, "60.00 EUR, held")
        .await?;
    tour.mailed(JULIEN, "held").await?;
    tour.pay("Paid by card", &ticket, "60.00 EUR, confirmed")
        .await?;
    tour.told(&ticket, JULIEN, "confirmed", true).await?;
    let door = tour.door();
    let again = door.register(TOURNAMENT, JULIEN, &one, None).await;
    tour.refused(
        door.name(),
        "The same player once more",
        "already-entered",
        again,
    )?;
    let door = tour.door();
    let strong = [entry(
        Some("B"),
        player("Blanc, Hugo", "FRA", 1950, &["FIDE"])?,
    )];
    let strong = door.register(TOURNAMENT, LATE, &strong, None).await;
    tour.refused(
        door.name(),
        "A player rated 1950 enters B (under 1950)",
        "ineligible",
        strong,
    )?;
    Ok(ticket)
}

async fn licence(tour: &mut Tour<'_>) -> Story {
    let one = [entry(
        Some("B"),
        player("Puig, Aina", "ESP", 1800, CATALAN)?,
    )];
    let ticket = tour
        .enter(
            "Entry to B with a licence of the FCE",
            AINA,
            &one,
            "45.00 EUR, held",
        )
        .await?;
    tour.type_card(
        "Her first card is declined",
        &ticket,
        DECLINED_CARD,
        Typed::Declined,
    )
    .await?;
    tour.pay(
        "Her second card is charged",
        &ticket,
        "45.00 EUR, confirmed",
    )
    .await?;
    tour.told(&ticket, AINA, "confirmed", true).await?;

    let id = tour.entry_of(&ticket).await?;
    let door = tour.door();
    let annulled = door
        .cancel_by_organiser(&ticket.order, &id, "annulled under the bases")
        .await;
    tour.done(door.name(), "The organiser annuls the entry", annulled)?;
    let all = "45.00 EUR card succeeded, 0.00 EUR kept";
    tour.becomes(
        "",
        "   everything goes back to the card",
        &ticket,
        all,
        refunds,
    )
    .await?;
    tour.told(&ticket, AINA, "cancelled", false).await
}

async fn minor(tour: &mut Tour<'_>) -> Story {
    let child = Player {
        birth_date: date(2012, 3, 4),
        ..player("Roca, Nil", "ESP", 1500, CATALAN)?
    };
    let ticket = tour
        .enter(
            "Entry to C, under 16",
            MARTA,
            &[entry(Some("C"), child)],
            "40.00 EUR, held",
        )
        .await?;
    tour.pay_with(
        "Paid with a card whose bank asks (3-D Secure)",
        &ticket,
        ASKING_CARD,
        "40.00 EUR, confirmed",
    )
    .await?;
    tour.told(&ticket, MARTA, "confirmed", true).await?;
    tour.uphold(
        "Staff see the declared facts that lowered the fee",
        &ticket,
        "birth_date",
    )
    .await
}
