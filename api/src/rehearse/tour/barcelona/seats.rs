//! Seats: a waiting list and an offer, a hold that runs out, the end of entry.

use domain::RefundMethod;

use super::{JULIEN, LATE, TOURNAMENT};
use crate::failure::Failure;
use crate::rehearse::door::{Payer, Ticket};
use crate::rehearse::tour::people::{entry, payer, player};
use crate::rehearse::tour::steps::{refunds, shown};
use crate::rehearse::tour::{Halt, Story, Tour};

const INES: Payer = payer("Inés Vidal", "ines@example.org", "es");

/// The field is made full, somebody waits, somebody leaves.
pub(super) async fn waiting_list(tour: &mut Tour<'_>, seated: &Ticket) -> Story {
    let door = tour.door();
    let full = door.open(TOURNAMENT, 1).await;
    tour.done(
        door.name(),
        "The organiser lowers the capacity to what is taken",
        full,
    )?;
    let one = [entry(
        Some("A"),
        player("Vidal, Inés", "ESP", 2050, &["FIDE", "FEDA"])?,
    )];
    let ticket = tour
        .enter("Entry when it is full", INES, &one, "60.00 EUR, waitlisted")
        .await?;
    tour.mailed(INES, "waitlisted").await?;
    let door = tour.door();
    let paid = door.pay(&ticket).await;
    tour.refused(
        door.name(),
        "Nobody pays for a seat that is not there",
        "illegal-move",
        paid,
    )?;

    tour.leave(
        "A player leaves; the text gives nothing back",
        seated,
        "0.00 EUR back, 60.00 EUR kept",
    )
    .await?;
    tour.told(seated, JULIEN, "cancelled", false).await?;
    tour.becomes(
        "",
        "   whoever waits is offered the seat",
        &ticket,
        "60.00 EUR, held",
        shown,
    )
    .await?;
    tour.mailed(INES, "offer").await?;
    tour.pay("Paid by card", &ticket, "60.00 EUR, confirmed")
        .await?;
    tour.told(&ticket, INES, "confirmed", true).await?;

    let door = tour.door();
    let goodwill = door
        .refund(&seated.order, tour.sum(25), RefundMethod::Card, "goodwill")
        .await;
    tour.done(
        door.name(),
        "Staff give the player who left 25 euros back",
        goodwill,
    )?;
    let part = "25.00 EUR card succeeded, 35.00 EUR kept";
    tour.becomes("", "   they go back to the card", seated, part, refunds)
        .await?;
    let door = tour.door();
    let more = door
        .refund(&seated.order, tour.sum(36), RefundMethod::Card, "too much")
        .await;
    tour.refused(
        door.name(),
        "Staff give back more than is left",
        "nothing-left",
        more,
    )?;
    let door = tour.door();
    let opened = door.open(TOURNAMENT, 400).await;
    tour.done(
        door.name(),
        "The organiser sets the capacity to 400",
        opened,
    )
}

/// A seat is kept for a day; the day passes, and 21 July comes.
pub(super) async fn hold(tour: &mut Tour<'_>) -> Story {
    let one = [entry(
        Some("A"),
        player("Petit, Luc", "FRA", 2000, &["FIDE"])?,
    )];
    let ticket = tour
        .enter(
            "General entry to A, never paid",
            LATE,
            &one,
            "60.00 EUR, held",
        )
        .await?;
    tour.stage
        .move_clock(TOURNAMENT, "2026-07-20T23:59:59+02:00")
        .map_err(broken)?;
    tour.becomes(
        "",
        "Its hold runs out",
        &ticket,
        "60.00 EUR, expired",
        shown,
    )
    .await?;
    tour.mailed(LATE, "expired").await?;
    let price = tour.price_at(
        "The last second before 21 July",
        Some("2026-07-20T23:59:59+02:00".parse()?),
        &one,
        "60.00 EUR",
    );
    price.await?;
    tour.price_at(
        "21 July",
        Some("2026-07-21T00:00:00+02:00".parse()?),
        &one,
        "65.00 EUR",
    )
    .await
}

/// Asked for these instants only: the desk clock stays where a visitor can still enter.
pub(super) async fn closing(tour: &mut Tour<'_>) -> Story {
    let one = [entry(
        Some("A"),
        player("Petit, Luc", "FRA", 2000, &["FIDE"])?,
    )];
    let last = Some("2026-08-20T13:59:59+02:00".parse()?);
    tour.price_at(
        "20 August, the last second before 14:00",
        last,
        &one,
        "65.00 EUR",
    )
    .await?;
    let closed = Some("2026-08-20T14:00:00+02:00".parse()?);
    tour.price_at("20 August at 14:00: closed", closed, &one, "entry_closed")
        .await
}

fn broken(failure: Failure) -> Halt {
    Halt::Broken(failure.to_string())
}
