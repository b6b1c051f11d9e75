//! Who plays by the organiser's word: an invited grandmaster, and a player whom the organiser places.

use domain::{Player, Title};

use super::{CATALAN, LATE, TOURNAMENT};
use crate::rehearse::door::Payer;
use crate::rehearse::tour::people::{entry, payer, player};
use crate::rehearse::tour::steps::{due, refunds, shown};
use crate::rehearse::tour::{Story, Tour};

const OLENA: Payer = payer("Olena Bondar", "olena@example.org", "en");
const PAU: Payer = payer("Pau Serra", "pau@example.org", "ca");

pub(super) async fn guest(tour: &mut Tour<'_>) -> Story {
    let grandmaster = Player {
        title: Some(Title::Gm),
        ..player("Bondar, Olena", "UKR", 2450, &["FIDE"])?
    };
    let mut invited = entry(Some("A"), grandmaster);
    tour.price(
        "A grandmaster rated 2450 without an invitation",
        &[invited.clone()],
        "60.00 EUR",
    )
    .await?;
    let door = tour.door();
    let code = door.issue_code(TOURNAMENT, "guest 1", 1).await;
    invited.code = Some(tour.done(
        door.name(),
        "The organiser gives out an invitation code",
        code,
    )?);
    let ticket = tour
        .enter(
            "The same with the code",
            OLENA,
            &[invited.clone()],
            "0.00 EUR, pending_approval",
        )
        .await?;
    tour.approve(
        "Staff look at the rating and approve",
        &ticket,
        "0.00 EUR, confirmed",
    )
    .await?;
    tour.told(&ticket, OLENA, "confirmed", true).await?;
    let other = player("Petit, Luc", "FRA", 2410, &["FIDE"])?;
    let mut second = entry(Some("A"), other);
    second.code = invited.code;
    let door = tour.door();
    let used = door.register(TOURNAMENT, LATE, &[second], None).await;
    tour.refused(
        door.name(),
        "Somebody else uses the code again",
        "code-used-up",
        used,
    )
}

pub(super) async fn unplaced(tour: &mut Tour<'_>) -> Story {
    let one = [entry(None, player("Serra, Pau", "ESP", 1700, CATALAN)?)];
    let expected = "45.00 EUR, pending_approval";
    let ticket = tour
        .enter("Entry without a group: the lowest fee", PAU, &one, expected)
        .await?;
    let id = tour.entry_of(&ticket).await?;
    let door = tour.door();
    let placed = door.place(&id, "A").await;
    tour.done(door.name(), "The organiser places it in A", placed)?;
    tour.becomes(
        "",
        "   its price follows",
        &ticket,
        "55.00 EUR, pending_approval",
        shown,
    )
    .await?;
    tour.approve("The organiser lets it in", &ticket, "55.00 EUR, held")
        .await?;
    tour.becomes("", "   the fee of A is due", &ticket, "55.00 EUR due", due)
        .await?;
    tour.pay("Paid by card", &ticket, "55.00 EUR, confirmed")
        .await?;
    let door = tour.door();
    let moved = door.place(&id, "B").await;
    tour.done(door.name(), "The organiser moves it to B", moved)?;
    let difference = "10.00 EUR card succeeded, 0.00 EUR kept";
    tour.becomes(
        "",
        "   the difference goes back to the card",
        &ticket,
        difference,
        refunds,
    )
    .await
}
