//! Hermanos Rojas: school teams, a promotion over two sections, slips of the bank.

use domain::{Level, Sex};

use super::people::{school, team};
use super::steps::shown;
use super::{Halt, Story, Tour};
use crate::failure::Failure;
use crate::rehearse::door::{Payer, Ticket, Told};

const TOURNAMENT: &str = "hermanos-rojas-2019";

const BOTH: Payer = school("Colegio Los Álamos", "alamos@example.org");
const LATER: Payer = school("Colegio San Martín", "sanmartin@example.org");

type Roster = [(&'static str, Sex, Level); 4];

const ALAMOS: Roster = [
    ("Quispe, Rosa", Sex::Female, Level::Primary),
    ("Flores, Diego", Sex::Male, Level::Primary),
    ("Huamán, Luis", Sex::Male, Level::Primary),
    ("Ramos, Ana", Sex::Female, Level::Initial),
];
const SAN_MARTIN: Roster = [
    ("Vargas, Lucía", Sex::Female, Level::Primary),
    ("Torres, Mateo", Sex::Male, Level::Primary),
    ("Salas, Bruno", Sex::Male, Level::Primary),
    ("Rojas, Iván", Sex::Male, Level::Primary),
];

pub(super) async fn walk(tour: &mut Tour<'_>) -> Result<(), Failure> {
    tour.begin(TOURNAMENT)?;
    let outcome = both_levels(tour).await;
    tour.end_of("Two teams at once", outcome);
    let outcome = later(tour).await;
    tour.end_of("Second team later", outcome);
    Ok(())
}

async fn both_levels(tour: &mut Tour<'_>) -> Story {
    let teams = [
        team("primario", BOTH.name, &ALAMOS),
        team("secundario", BOTH.name, &ALAMOS),
    ];
    tour.price("One team", &teams[..1], "80.00 PEN").await?;
    tour.price("The same four at both levels", &teams, "140.00 PEN")
        .await?;
    let boys = ALAMOS.map(|(name, _, level)| (name, Sex::Male, level));
    let boys = [team("primario", BOTH.name, &boys)];
    tour.price("A team without a girl", &boys, "team_needs_girl")
        .await?;

    let slip = |number, units| Told {
        number,
        date: "2019-02-09",
        amount: tour.sum(units),
    };
    let (wrong, right) = (slip("0041-7781", 120), slip("0041-7782", 140));
    let door = tour.door();
    let short = door.register(TOURNAMENT, BOTH, &teams, Some(wrong)).await;
    tour.refused(door.name(), "With a slip of 120", "amount-mismatch", short)?;
    let entered = tour.enter_with(
        "With a slip of 140",
        BOTH,
        &teams,
        Some(right),
        "140.00 PEN, held",
    );
    let ticket = entered.await?;
    confirm(tour, &ticket, "140.00 PEN, confirmed").await?;
    tour.told(&ticket, BOTH, "confirmed", true).await
}

async fn later(tour: &mut Tour<'_>) -> Story {
    let slip = |number, units| Told {
        number,
        date: "2019-02-10",
        amount: tour.sum(units),
    };
    let (first, second) = (slip("0041-9001", 80), slip("0041-9002", 60));
    let one = [team("primario", LATER.name, &SAN_MARTIN)];
    let ticket = tour
        .enter_with(
            "Another school enters one team",
            LATER,
            &one,
            Some(first),
            "80.00 PEN, held",
        )
        .await?;
    confirm(tour, &ticket, "80.00 PEN, confirmed").await?;
    let three = [
        SAN_MARTIN[0],
        SAN_MARTIN[1],
        SAN_MARTIN[2],
        ("Paredes, Inés", Sex::Female, Level::Secondary),
    ];
    let two = [team("secundario", LATER.name, &three)];
    let what = "Later a second one, three of them the same";
    let ticket = tour
        .enter_with(what, LATER, &two, Some(second), "60.00 PEN, held")
        .await?;
    confirm(tour, &ticket, "60.00 PEN, confirmed").await?;
    tour.told(&ticket, LATER, "confirmed", true).await
}

/// Staff find the money of an order's slip on the account.
async fn confirm(tour: &mut Tour<'_>, ticket: &Ticket, expected: &str) -> Story {
    let slip = tour.seen(ticket).await?.payments.into_iter().next();
    let slip = slip.ok_or_else(|| Halt::Broken("the order has no slip".to_owned()))?;
    tour.check(
        "",
        "   its slip waits for staff",
        "processing",
        &slip.status,
    )?;
    let door = tour.door();
    let confirmed = door.confirm_slip(&slip.id, slip.amount).await;
    tour.done(
        door.name(),
        "Staff confirm the money of the slip",
        confirmed,
    )?;
    tour.becomes("", "   the entry stands", ticket, expected, shown)
        .await
}
