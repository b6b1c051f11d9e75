//! El Llobregat: approval by the chief arbiter after payment, cancellation with half kept and a refund by transfer, byes.

use domain::{ByePoints, Player, Title};

use super::people::{entry, payer, player};
use super::steps::refunds;
use super::{Story, Tour};
use crate::failure::Failure;
use crate::rehearse::door::Payer;

const TOURNAMENT: &str = "ellobregat-2026";

const CARLA: Payer = payer("Carla Ferrer", "carla@example.org", "ca");
const GARRY: Payer = payer("Nils Berg", "nils@example.org", "en");
const IVAN: Payer = payer("Ivan Petrov", "ivan@example.org", "en");
const TERESA: Payer = payer("Teresa Soler", "teresa@example.org", "es");

pub(super) async fn walk(tour: &mut Tour<'_>) -> Result<(), Failure> {
    tour.begin(TOURNAMENT)?;
    let outcome = cancellation(tour).await;
    tour.end_of("Cancellation", outcome);
    let outcome = grandmaster(tour).await;
    tour.end_of("Grandmaster", outcome);
    let outcome = rejection(tour).await;
    tour.end_of("Rejection", outcome);
    let outcome = earlier_edition(tour).await;
    tour.end_of("Player of earlier editions", outcome);
    Ok(())
}

async fn cancellation(tour: &mut Tour<'_>) -> Story {
    let one = [entry(
        Some("A"),
        player("Ferrer, Carla", "ESP", 1900, &["FEDA"])?,
    )];
    tour.price("Entry to A, rated 2199 or less", &one, "500.00 EUR")
        .await?;
    let closed = [entry(
        Some("B"),
        player("Ferrer, Carla", "ESP", 1900, &["FEDA"])?,
    )];
    tour.price(
        "Tournament B, for which the text gives no fees",
        &closed,
        "section_has_no_fees",
    )
    .await?;
    let ticket = tour
        .enter("Entry to A", CARLA, &one, "500.00 EUR, held")
        .await?;
    tour.pay(
        "Paid by card: the arbiter is asked",
        &ticket,
        "500.00 EUR, pending_approval",
    )
    .await?;
    tour.mailed(CARLA, "awaiting_approval").await?;
    tour.approve(
        "The chief arbiter approves",
        &ticket,
        "500.00 EUR, confirmed",
    )
    .await?;
    tour.told(&ticket, CARLA, "confirmed", true).await?;

    let expected = "250.00 EUR back, 250.00 EUR kept";
    tour.leave("The player cancels before 15 September", &ticket, expected)
        .await?;
    let owed = "250.00 EUR transfer owed, 250.00 EUR kept";
    tour.becomes(
        "",
        "   half of it is owed by transfer",
        &ticket,
        owed,
        refunds,
    )
    .await?;
    tour.told(&ticket, CARLA, "cancelled", false).await?;
    let refund = tour.seen(&ticket).await?.refunds.into_iter().next();
    let refund = refund.ok_or_else(|| super::Halt::Broken("no refund".to_owned()))?;
    let door = tour.door();
    let sent = door.refund_sent(&refund.id, "TRF-2026-0901").await;
    tour.done(door.name(), "Staff record the transfer as sent", sent)?;
    let gone = "250.00 EUR transfer succeeded, 250.00 EUR kept";
    tour.becomes("", "   the refund is settled", &ticket, gone, refunds)
        .await
}

async fn grandmaster(tour: &mut Tour<'_>) -> Story {
    let one = Player {
        title: Some(Title::Gm),
        ..player("Berg, Nils", "NOR", 2520, &["FIDE"])?
    };
    let ticket = tour
        .enter(
            "Entry of a grandmaster",
            GARRY,
            &[entry(Some("A"), one)],
            "0.00 EUR, pending_approval",
        )
        .await?;
    tour.approve("The chief arbiter approves", &ticket, "0.00 EUR, confirmed")
        .await?;
    tour.told(&ticket, GARRY, "confirmed", true).await?;

    let id = tour.entry_of(&ticket).await?;
    let door = tour.door();
    let asked = door.ask_byes(&ticket, &id, &[(6, ByePoints::Half)]).await;
    tour.refused(
        door.name(),
        "A bye of half a point in round 6",
        "ineligible",
        asked,
    )?;
    let door = tour.door();
    let asked = door
        .ask_byes(&ticket, &id, &[(2, ByePoints::Half), (4, ByePoints::Half)])
        .await;
    tour.done(
        door.name(),
        "Two byes of half a point in rounds 2 and 4",
        asked,
    )?;
    let door = tour.door();
    let granted = door.grant_byes(&id).await;
    tour.done(door.name(), "The chief arbiter grants them", granted)?;
    tour.byes_told(&id, &[2, 4]).await?;
    tour.mailed(GARRY, "byes_decided").await
}

async fn rejection(tour: &mut Tour<'_>) -> Story {
    let one = Player {
        title: Some(Title::Im),
        ..player("Petrov, Ivan", "BUL", 2380, &["FIDE"])?
    };
    let ticket = tour
        .enter(
            "Entry of an international master",
            IVAN,
            &[entry(Some("A"), one)],
            "50.00 EUR, held",
        )
        .await?;
    tour.pay("Paid by card", &ticket, "50.00 EUR, pending_approval")
        .await?;
    let id = tour.entry_of(&ticket).await?;
    let door = tour.door();
    let rejected = door.reject(&id, "right of admission").await;
    tour.done(door.name(), "The organiser refuses the entry", rejected)?;
    let all = "50.00 EUR card succeeded, 0.00 EUR kept";
    tour.becomes(
        "",
        "   everything goes back to the card",
        &ticket,
        all,
        refunds,
    )
    .await?;
    tour.mailed(IVAN, "rejected").await
}

async fn earlier_edition(tour: &mut Tour<'_>) -> Story {
    let one = Player {
        previous_participant: true,
        ..player("Soler, Teresa", "ESP", 2250, &["FEDA"])?
    };
    let ticket = tour
        .enter(
            "Entry, played earlier editions, rated 2200 or more",
            TERESA,
            &[entry(Some("A"), one)],
            "100.00 EUR, held",
        )
        .await?;
    tour.uphold(
        "Staff look rating and earlier edition up",
        &ticket,
        "rating, previous_participant",
    )
    .await?;
    tour.pay("Paid by card", &ticket, "100.00 EUR, pending_approval")
        .await?;
    tour.approve(
        "The chief arbiter approves",
        &ticket,
        "100.00 EUR, confirmed",
    )
    .await?;
    tour.stage
        .move_clock(TOURNAMENT, "2026-09-16T00:00:00+02:00")
        .map_err(|f| super::Halt::Broken(f.to_string()))?;
    tour.leave(
        "The player cancels after 15 September",
        &ticket,
        "0.00 EUR back, 100.00 EUR kept",
    )
    .await?;
    tour.told(&ticket, TERESA, "cancelled", false).await
}
