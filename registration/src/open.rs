//! Tournaments are taken in from their regulations, opened by staff, and given invitation codes.

use std::sync::Arc;

use domain::{Actor, Event, Money, OrganiserId, Problem, Slug, TournamentId};
use rand::Rng;
use rules::Regulation;
use serde::{Deserialize, Serialize};
use store::Island;
use store::change::Stamp;
use store::codes::{self, Code};
use store::counts::Counts;
use store::tournaments::{self, Published, Tournament};
use store::{Conn, Lane};

use crate::desk::{By, Desk};
use crate::offer;
use crate::seats::Seats;

/// The most seats that a tournament may have: what is beyond is a slip of the keyboard.
const MOST_SEATS: i64 = 100_000;

/// What became of a regulation file at start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TakenIn {
    /// It was unknown: it is version 1 now.
    New,
    /// It is the published version.
    Same,
    /// It differs from the published version, which goes on being served.
    Differs,
}

/// An invitation code to be given out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NewCode {
    /// What the organiser calls it; no name of a person.
    pub label: String,
    /// How many entries may use it.
    pub uses: i32,
    /// The price that was agreed with whom it is given to.
    pub agreed_price: Option<Money>,
}

impl Desk {
    /// Takes a regulation in: an unknown one becomes version 1; where the file differs from the published version, that
    /// one is served.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn take_in(
        &self,
        organiser: OrganiserId,
        regulation: Regulation,
    ) -> Result<TakenIn, Problem> {
        let file = Arc::new(regulation);
        let tournament = file.tournament().clone();
        let stamp = self.stamp(&tournament, &By::actor(Actor::Operator));
        let take = || {
            let (offered, stamp) = (Arc::clone(&file), stamp.clone());
            self.store().write(Lane::Settle, move |conn| {
                take_in(conn, organiser, &offered, &stamp)
            })
        };
        let (taken, version) = again_where_raced(take).await?;
        if version == file.reference().version && taken != TakenIn::Differs {
            self.remember(file);
        } else {
            self.version(&tournament, version).await?;
        }
        self.changed().notify_waiters();
        Ok(taken)
    }

    /// The organiser of this slug; made if there is none yet.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn organiser(&self, slug: &str, name: &str) -> Result<OrganiserId, Problem> {
        let fresh = OrganiserId(self.number());
        let at = self.clock().wall();
        let make = || {
            let (slug, name) = (slug.to_owned(), name.to_owned());
            self.store().write(Lane::Settle, move |c| {
                if let Some(known) = tournaments::organiser(c, &slug)? {
                    return Ok(known);
                }
                tournaments::insert_organiser(c, fresh, &slug, &name, at)?;
                Ok::<_, Problem>(fresh)
            })
        };
        again_where_raced(make).await
    }

    /// Staff set the capacity that the text leaves to the organiser; whoever waits is offered the seats.
    ///
    /// # Errors
    /// [`Slug::UnknownTournament`], [`Slug::InvalidFields`] for a figure below one or beyond any hall.
    pub async fn open_tournament(
        &self,
        by: &By,
        tournament: &TournamentId,
        capacity: i64,
    ) -> Result<(), Problem> {
        if capacity < 1 {
            let text = domain::Text::new("Com a mínim, 1.", "Como mínimo, 1.", "At least 1.");
            return Err(Problem::new(Slug::InvalidFields).field("capacity", "too_small", text));
        }
        if capacity > MOST_SEATS {
            let text = domain::Text::new(
                format!("Com a màxim, {MOST_SEATS}."),
                format!("Como máximo, {MOST_SEATS}."),
                format!("At most {MOST_SEATS}."),
            );
            return Err(Problem::new(Slug::InvalidFields).field("capacity", "too_large", text));
        }
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "open_tournament", tournament, "", &capacity);
        let desk = self.clone();
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let regulation = desk.present(change)?;
            let mut rules = regulation.capacity().iter();
            if rules.all(|rule| rule.seats.is_some()) {
                return Err(not_left_to_the_organiser());
            }
            if Seats::new(&regulation, Some(capacity), &change.tournament.counts)
                .is_ok_and(|seats| seats.is_over())
            {
                return Err(below_what_is_taken());
            }
            change.tournament.capacity = Some(capacity);
            change.tournament.opened_at.get_or_insert(change.stamp.at);
            change.record(None, &Event::TournamentOpened { capacity }, &[])?;
            offer::offer_seats(change, &regulation)
        });
        outcome.await
    }

    /// Staff give out an invitation code. The code is answered once and never stored.
    ///
    /// # Errors
    /// [`Slug::UnknownTournament`], [`Slug::InvalidFields`].
    pub async fn issue_code(
        &self,
        by: &By,
        tournament: &TournamentId,
        code: NewCode,
    ) -> Result<String, Problem> {
        let regulation = self.regulation(tournament)?;
        if let Some(meant) = regulation.label_meant(&code.label) {
            return Err(label_meant(meant));
        }
        let taken = regulation.currencies();
        let currency = code.agreed_price.map(|price| price.currency);
        if currency.is_some_and(|currency| !taken.contains(&currency)) {
            return Err(no_price_in_it());
        }
        let gateway = self.gateway().ok();
        let least = gateway.zip(currency);
        let least = least.and_then(|(gateway, currency)| gateway.minimum(currency));
        let least = least.unwrap_or(0);
        if code
            .agreed_price
            .is_some_and(|p| p.amount > 0 && p.amount < least)
        {
            let text = domain::Text::new(
                "La passarel·la no pot cobrar tan poc.",
                "La pasarela no puede cobrar tan poco.",
                "The gateway cannot charge so little.",
            );
            return Err(Problem::new(Slug::InvalidFields).field(
                "agreed_price",
                "below_gateway_minimum",
                text,
            ));
        }
        let negative = code.agreed_price.is_some_and(|p| p.amount < 0);
        let wrong = [("uses", code.uses < 1), ("agreed_price.amount", negative)];
        if let Some((field, _)) = wrong.into_iter().find(|(_, wrong)| *wrong) {
            let text = domain::Text::new(
                "El nombre és massa petit.",
                "El número es demasiado pequeño.",
                "The number is too small.",
            );
            return Err(Problem::new(Slug::InvalidFields).field(field, "out_of_range", text));
        }
        // Under a key the code is made from it, so that a repeat is answered with the same and nothing is stored plain.
        let plain = match &by.key {
            Some(key) => {
                let actor = format!("{:?}", by.actor);
                let made = self
                    .secret()
                    .hash("issued-code", &[tournament.as_str(), &actor, key]);
                readable_code(made.bytes().map(usize::from))
            }
            None => readable_code(std::iter::repeat_with(|| rand::rng().random_range(0..32))),
        };
        let once = self.once(by, "issue_code", tournament, "", &code);
        let stored = Code {
            hash: self.secret().code(tournament, &plain),
            label: code.label.clone(),
            uses: code.uses,
            agreed_price: code.agreed_price.map(|p| p.amount),
            currency,
        };
        let stamp = self.stamp(tournament, by);
        let (id, at) = (tournament.clone(), stamp.at);
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            codes::insert(change.conn()?, &id, &stored, at)?;
            let issued = Event::CodeIssued {
                code: stored.label.clone(),
                uses: stored.uses,
            };
            change.record(None, &issued, &[])?;
            Ok(())
        });
        outcome.await?;
        Ok(plain)
    }
}

/// A label that is near to one that a row of the regulation goes by would only invite.
fn label_meant(meant: &str) -> Problem {
    let text = domain::Text::new(
        format!("Les bases tenen un preu per a «{meant}»: és aquest?"),
        format!("Las bases tienen un precio para «{meant}»: ¿es este?"),
        format!("The regulations have a price for “{meant}”: is it that one?"),
    );
    Problem::new(Slug::InvalidFields).field("label", "unknown_value", text)
}

/// A price agreed in a currency that the tournament does not have.
fn no_price_in_it() -> Problem {
    let text = domain::Text::new(
        "El torneig no té preus en aquesta moneda.",
        "El torneo no tiene precios en esta moneda.",
        "The tournament has no prices in this currency.",
    );
    Problem::new(Slug::InvalidFields).field("agreed_price.currency", "other_currency", text)
}

/// Another node makes the same row at this moment: then it is there, and is found.
async fn again_where_raced<T, F>(write: impl Fn() -> F) -> Result<T, Problem>
where
    F: Future<Output = Result<T, Problem>>,
{
    match write().await {
        Err(problem) if problem.slug == Slug::Raced => write().await,
        outcome => outcome,
    }
}

fn not_left_to_the_organiser() -> Problem {
    let text = domain::Text::new(
        "Les bases ja donen l'aforament, o no en posen cap.",
        "Las bases ya dan el aforo, o no ponen ninguno.",
        "The regulations give the capacity, or set none.",
    );
    Problem::new(Slug::InvalidFields).field("capacity", "not_left_to_the_organiser", text)
}

fn below_what_is_taken() -> Problem {
    let text = domain::Text::new(
        "Ja hi ha més places ocupades.",
        "Ya hay más plazas ocupadas.",
        "More seats than that are taken already.",
    );
    Problem::new(Slug::InvalidFields).field("capacity", "below_what_is_taken", text)
}

fn take_in(
    conn: &mut Conn,
    organiser: OrganiserId,
    file: &Regulation,
    stamp: &Stamp,
) -> Result<(TakenIn, i32), Problem> {
    let reference = file.reference();
    let id = file.tournament();
    if let Some(known) = tournaments::lock(conn, id)? {
        let published = tournaments::published(conn, id, known.version)?;
        let same = published.is_some_and(|p| *p.hash == *reference.hash);
        return Ok((
            if same {
                TakenIn::Same
            } else {
                TakenIn::Differs
            },
            known.version,
        ));
    }
    let tournament = Tournament {
        id: id.clone(),
        organiser,
        version: 1,
        capacity: None,
        last_form: 0,
        last_journal: 0,
        opened_at: None,
        counts: Counts::default(),
    };
    tournaments::insert(conn, &tournament, stamp.wall)?;
    let published = Published {
        version: 1,
        hash: reference.hash.to_string(),
        source: file.source().to_owned(),
    };
    let language = i32::try_from(reference.language).map_err(Problem::internal)?;
    let mut island = Island::around(tournament);
    let told = Event::RegulationPublished {
        version: 1,
        hash: published.hash.clone(),
    };
    let number = island.change(conn, stamp).record(None, &told, &[])?;
    let when = (stamp.wall, number);
    tournaments::publish(conn, id, &published, language, when)?;
    island.close(conn)?;
    Ok((TakenIn::New, 1))
}

/// Twelve characters that can be read aloud: sixty bits.
fn readable_code(digits: impl Iterator<Item = usize>) -> String {
    const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
    let letters: Vec<char> = digits
        .take(12)
        .map(|d| char::from(ALPHABET[d % 32]))
        .collect();
    let parts: Vec<String> = letters
        .chunks(4)
        .map(|part| part.iter().collect())
        .collect();
    parts.join("-")
}
