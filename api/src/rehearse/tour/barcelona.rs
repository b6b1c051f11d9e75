//! Ciutat de Barcelona: prices and reductions, cards, a free guest, a waiting list, refunds, an entry to be placed.

use domain::{Player, RefundMethod, Title};
use jiff::civil::date;

use super::people::{entry, payer, player};
use super::steps::{due, refunds, shown};
use super::{Story, Tour};
use crate::failure::Failure;
use crate::rehearse::door::{Payer, Ticket};
use crate::rehearse::payer::{ASKING_CARD, DECLINED_CARD, Typed};

const TOURNAMENT: &str = "ciutat-barcelona-2026";
const CATALAN: &[&str] = &["FIDE", "FEDA", "FCE"];

const AINA: Payer = payer("Aina Puig", "aina@example.org", "ca");
const JULIEN: Payer = payer("Julien Martin", "julien@example.org", "en");
const MARTA: Payer = payer("Marta Roca", "marta@example.org", "ca");
const OLENA: Payer = payer("Olena Bondar", "olena@example.org", "en");
const PAU: Payer = payer("Pau Serra", "pau@example.org", "ca");
const INES: Payer = payer("Inés Vidal", "ines@example.org", "es");
const LATE: Payer = payer("Luc Petit", "luc@example.org", "en");

pub(super) async fn walk(tour: &mut Tour<'_>) -> Result<(), Failure> {
    tour.begin(TOURNAMENT)?;
    let outcome = opening(tour).await;
    tour.end_of("Opening", outcome);
    match general(tour).await {
        Ok(ticket) => {
            let outcome = waiting_list(tour, &ticket).await;
            tour.end_of("Waiting list", outcome);
        }
        Err(halt) => tour.end_of("General entry", Err(halt)),
    }
    let outcome = licence(tour).await;
    tour.end_of("Entry with a licence of the FCE", outcome);
    let outcome = minor(tour).await;
    tour.end_of("Entry of a minor", outcome);
    let outcome = guest(tour).await;
    tour.end_of("Invited grandmaster", outcome);
    let outcome = unplaced(tour).await;
    tour.end_of("Entry to be placed", outcome);
    let outcome = hold(tour).await;
    tour.end_of("Unpaid entry", outcome);
    let outcome = closing(tour).await;
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

async fn guest(tour: &mut Tour<'_>) -> Story {
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

async fn unplaced(tour: &mut Tour<'_>) -> Story {
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

/// The field is made full, somebody waits, somebody leaves.
async fn waiting_list(tour: &mut Tour<'_>, seated: &Ticket) -> Story {
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
async fn hold(tour: &mut Tour<'_>) -> Story {
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
async fn closing(tour: &mut Tour<'_>) -> Story {
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

fn broken(failure: Failure) -> super::Halt {
    super::Halt::Broken(failure.to_string())
}
