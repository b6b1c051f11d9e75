//! A message to the pairing service, made from how things stand when it is sent.

use domain::{ByePoints, ByeRequest, Entrant, Level, Player, Sex, Status, Team, Title, UtcTime};
use proto::pairing::v1::{
    ByesRequested, EntrantUpserted, EntrantWithdrawn, PublicPlayer, PublicPupil, PublicTeam,
    PushRequest, WithdrawalCause, entrant_upserted::Entrant as Public,
    push_request::Change as Told,
};
use proto::rules::v1 as rules;
use store::deliveries::Delivery;
use store::{Conn, StoreError, byes, entries, journal};

use super::change::{Change, Message};

/// Reads it; `None` where there is nothing to tell any more: the entry does not play (its end is told by a later row),
/// or its person was erased.
pub(crate) fn read(
    c: &mut Conn,
    delivery: &Delivery,
    message: Message,
) -> Result<Option<PushRequest>, StoreError> {
    let Some(row) = journal::find(c, &delivery.tournament, delivery.journal_number)? else {
        return Ok(None);
    };
    let Some(entry) = entries::find(c, message.entry)? else {
        return Ok(None);
    };
    let plays = entry.status == Status::Confirmed;
    let told = match message.change {
        Change::Withdrawn => Told::Withdrawn(EntrantWithdrawn {
            cause: cause(entry.status).into(),
        }),
        Change::Byes | Change::Upserted if !plays => return Ok(None),
        Change::Byes => Told::ByesRequested(ByesRequested {
            byes: asked_off(c, message)?,
        }),
        Change::Upserted => match entries::entrant(c, entry.id)? {
            None => return Ok(None),
            Some(entrant) => Told::Upserted(EntrantUpserted {
                entrant: Some(public(&entrant)),
                byes: asked_off(c, message)?,
            }),
        },
    };
    Ok(Some(PushRequest {
        tournament: delivery.tournament.to_string(),
        sequence: delivery.journal_number,
        at: Some(instant(row.at)),
        entry: entry.id.to_string(),
        form_number: entry.form_number,
        section: entry.section.map(|section| section.to_string()),
        change: Some(told),
    }))
}

fn cause(status: Status) -> WithdrawalCause {
    match status {
        Status::CancelledByPlayer => WithdrawalCause::Player,
        Status::CancelledByOrganiser => WithdrawalCause::Organiser,
        Status::Rejected => WithdrawalCause::Rejected,
        Status::Withdrawn => WithdrawalCause::FieldFixed,
        _ => WithdrawalCause::Unspecified,
    }
}

fn asked_off(c: &mut Conn, message: Message) -> Result<Vec<rules::Bye>, StoreError> {
    let byes = byes::of_entry(c, message.entry)?;
    Ok(byes.iter().map(bye).collect())
}

fn bye(bye: &byes::Bye) -> rules::Bye {
    let ByeRequest { round, points } = bye.request;
    let points = match points {
        ByePoints::Half => rules::ByePoints::Half,
        ByePoints::Zero => rules::ByePoints::Zero,
    };
    let status = match bye.status.as_str() {
        "asked" => rules::ByeStatus::Asked,
        "granted" => rules::ByeStatus::Granted,
        "refused" => rules::ByeStatus::Refused,
        _ => rules::ByeStatus::Unspecified,
    };
    rules::Bye {
        request: Some(rules::ByeRequest {
            round,
            points: points.into(),
        }),
        status: status.into(),
    }
}

fn instant(at: UtcTime) -> prost_types::Timestamp {
    prost_types::Timestamp {
        seconds: at.as_seconds(),
        nanos: at.timestamp().subsec_nanosecond().rem_euclid(1_000_000_000),
    }
}

/// What a pairing list shows, and nothing else: no day of birth, no disability, no price.
fn public(entrant: &Entrant) -> Public {
    match entrant {
        Entrant::Player(player) => Public::Player(public_player(player)),
        Entrant::Team(team) => Public::Team(public_team(team)),
    }
}

fn public_player(player: &Player) -> PublicPlayer {
    PublicPlayer {
        name: player.name.clone().unwrap_or_default(),
        federation: player.federation.to_string(),
        title: title(player.title).into(),
        rating: player.rating.map(u32::from),
        fide_id: player.fide_id,
        sex: sex(player.sex).into(),
        birth_year: u32::from(player.birth_date.year().unsigned_abs()),
        club: player.club.clone(),
    }
}

fn public_team(team: &Team) -> PublicTeam {
    PublicTeam {
        name: team.name.clone(),
        institution: team.institution.clone(),
        roster: team
            .roster
            .iter()
            .map(|pupil| PublicPupil {
                name: pupil.name.clone(),
                sex: sex(pupil.sex).into(),
                level: level(pupil.level).into(),
            })
            .collect(),
    }
}

fn sex(sex: Sex) -> rules::Sex {
    match sex {
        Sex::Male => rules::Sex::Male,
        Sex::Female => rules::Sex::Female,
    }
}

fn level(level: Level) -> rules::Level {
    match level {
        Level::Initial => rules::Level::Initial,
        Level::Primary => rules::Level::Primary,
        Level::Secondary => rules::Level::Secondary,
    }
}

fn title(title: Option<Title>) -> rules::Title {
    match title {
        None => rules::Title::Unspecified,
        Some(Title::Gm) => rules::Title::Gm,
        Some(Title::Im) => rules::Title::Im,
        Some(Title::Fm) => rules::Title::Fm,
        Some(Title::Cm) => rules::Title::Cm,
        Some(Title::Wgm) => rules::Title::Wgm,
        Some(Title::Wim) => rules::Title::Wim,
        Some(Title::Wfm) => rules::Title::Wfm,
        Some(Title::Wcm) => rules::Title::Wcm,
    }
}
