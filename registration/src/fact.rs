//! Staff find a fact of an entrant right or wrong, and may change their mind: what one decision did to the price, its
//! opposite undoes.

use domain::{
    Actor, Entrant, EntryId, Event, FactName, Grade, Problem, Quote, Slug, Standing, Text,
    TournamentId,
};
use rules::Regulation;
use store::change::Change;
use store::entries::Entry;
use store::{Lane, entries};

use crate::approve::of_entry;
use crate::around::Around;
use crate::claims;
use crate::desk::{By, Desk, Judged};
use crate::dossier::{Dossier, Terms};
use crate::groups;
use crate::price::{NewPrice, change_price};
use crate::standing::{as_standing, identity_now, neighbours};

impl Desk {
    /// Staff looked at a fact that the entry is priced or admitted by: it is as declared, or as they found it (with no
    /// value, as if the fact were not there). Where that is not what the entry goes by, it is priced again; the difference
    /// is owed, or comes back.
    ///
    /// # Errors
    /// [`Slug::InvalidFields`] for a value that the fact cannot have, [`Slug::Ineligible`] where nobody is admitted with
    /// it, [`Slug::AlreadyEntered`] where it makes the entrant somebody who is in already, [`Slug::UnknownEntry`], [`Slug::IllegalMove`] where the entry is not live or nothing asks of the fact.
    pub async fn check_fact(
        &self,
        by: &By,
        tournament: &TournamentId,
        entry: EntryId,
        fact: FactName,
        upheld: bool,
        value: Option<String>,
    ) -> Result<(), Problem> {
        let (order, terms) = self.terms_of_entry(tournament, entry).await?;
        let stamp = self.stamp(tournament, by);
        let once = self.once(
            by,
            "check_fact",
            tournament,
            &entry.to_string(),
            &(fact, upheld, &value),
        );
        let who = match &by.actor {
            Actor::Staff(who) => who.clone(),
            _ => "operator".to_owned(),
        };
        let decision = Decision {
            fact,
            upheld,
            value,
            who,
        };
        let (asked, its_terms, desk) = (decision.clone(), terms.clone(), self.clone());
        let judged = self.judge(tournament, &stamp, once.as_ref(), move |change| {
            let judgement = asked.judge(change, &desk, &its_terms, entry)?;
            let stands = judgement.dossier.entries[judgement.index].price;
            Ok(judgement.again.is_some_and(|again| again.price != stands))
        });
        if let Judged::New(true) = judged.await? {
            self.close_open_payments(order).await?;
        }
        let desk = self.clone();
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let terms = terms.now(change, &desk)?;
            let judgement = decision.judge(change, &desk, &terms, entry)?;
            decision.carry_out(change, &desk, &terms, judgement)
        });
        outcome.await
    }
}

/// What staff found.
#[derive(Clone)]
struct Decision {
    fact: FactName,
    upheld: bool,
    value: Option<String>,
    who: String,
}

/// What a decision comes to.
struct Judgement {
    dossier: Dossier,
    index: usize,
    entrant: Entrant,
    /// Who that is.
    identity: Option<String>,
    /// Where the fact has another value now.
    again: Option<Again>,
}

/// An entry priced again.
struct Again {
    /// Minor units.
    price: i64,
    /// What lowers it on the entrant's word.
    to_check: Vec<FactName>,
    /// The quote that says so.
    quote: Quote,
}

impl Decision {
    fn judge(
        &self,
        change: &mut Change<'_>,
        desk: &Desk,
        terms: &Terms,
        entry: EntryId,
    ) -> Result<Judgement, Problem> {
        let (dossier, index) = of_entry(change, entry)?;
        let row = &dossier.entries[index];
        if !row.status.is_live() {
            return Err(Problem::new(Slug::IllegalMove));
        }
        let gone = || Problem::new(Slug::UnknownEntry);
        let declared = entries::priced_entrant(change.conn()?, entry)?.ok_or_else(gone)?;
        let stands = entries::entrant(change.conn()?, entry)?.ok_or_else(gone)?;
        let frozen = terms.pricing(&row.section);
        let theirs = earlier(change, (desk, frozen), row, [&stands, &declared])?;
        let alone = |change: &mut Change<'_>, entrant: &Entrant| {
            let mut around = Around::of(change, desk, frozen, (&dossier, index), entrant)?;
            around.standing = beside(&theirs, entrant);
            Ok::<_, Problem>(around.price(frozen, row.section.clone(), entrant))
        };
        let before = alone(change, &stands)?;
        let as_declared = alone(change, &declared)?;
        let reads = |quote: &Quote| quote.facts.iter().any(|used| used.fact == self.fact);
        if !row.to_check.contains(&self.fact) && !reads(&before) && !reads(&as_declared) {
            return Err(asks_nothing());
        }
        let found = self.applied(&stands, &declared)?;
        let mut again = None;
        if found.changed {
            let mut around = Around::of(change, desk, frozen, (&dossier, index), &found.entrant)?;
            around.taken = claims::left_for(change, frozen, entry)?;
            around.standing = beside(&theirs, &found.entrant);
            let after = around.price(frozen, row.section.clone(), &found.entrant);
            if !after.eligible {
                return Err(Problem::ineligible(&after.reasons));
            }
            let was = if before.eligible {
                before.total
            } else {
                row.price
            };
            // What else lowers the price now, on the entrant's word, waits to be looked at.
            let flags = after.entries.iter().flat_map(|priced| &priced.to_check);
            again = Some(Again {
                price: (row.price + after.total - was).max(0),
                to_check: flags.copied().collect(),
                quote: after,
            });
        }
        let whose = (row, row.section.as_ref());
        let identity = identity_now(change, (desk, &terms.present), whose, &found.entrant)?;
        Ok(Judgement {
            dossier,
            index,
            entrant: found.entrant,
            identity,
            again,
        })
    }

    fn carry_out(
        &self,
        change: &mut Change<'_>,
        desk: &Desk,
        terms: &Terms,
        judgement: Judgement,
    ) -> Result<(), Problem> {
        let frozen = &terms.frozen;
        let Judgement {
            mut dossier,
            index,
            entrant,
            identity,
            again,
        } = judgement;
        let entry = dossier.entries[index].id;
        entries::correct_entrant(change.conn()?, entry, &entrant)?;
        let looked = Event::FactChecked {
            entry,
            fact: self.fact,
            upheld: self.upheld,
        };
        dossier.record(change, &looked, &[])?;
        let row = &mut dossier.entries[index];
        row.identity = identity;
        let was = row.institution.clone();
        row.institution = groups::key(desk, frozen, &entrant);
        let Some(again) = again else {
            row.to_check.retain(|waiting| *waiting != self.fact);
            return Ok(change.save_entry(row, row.status)?);
        };
        row.to_check = again.to_check;
        claims::keep(change, entry, &again.quote)?;
        let new = NewPrice {
            index,
            to: again.price,
            lines: &again.quote.lines,
            rule: if self.upheld {
                "fact_upheld"
            } else {
                "fact_not_upheld"
            },
        };
        change_price(change, desk, &terms.present, &mut dossier, &new)?;
        dossier.save(change)?;
        let now = dossier.entries[index].institution.clone();
        groups::moved(change, frozen, &[now], &[was])
    }

    /// The entrant as staff found it.
    fn applied(&self, stands: &Entrant, declared: &Entrant) -> Result<Found, Problem> {
        let mut entrant = stands.clone();
        if self.upheld {
            entrant.take_fact(self.fact, declared);
        } else {
            let value = self.value.as_deref();
            entrant.correct(self.fact, value).map_err(wrong_value)?;
        }
        let changed = entrant != *stands;
        let by = self.who.clone();
        entrant
            .grades_mut()
            .insert(self.fact, Grade::Checked { by });
        Ok(Found { entrant, changed })
    }
}

/// The entries of a player, made before this one, that promotions may join with it.
fn earlier(
    change: &mut Change<'_>,
    (desk, frozen): (&Desk, &Regulation),
    row: &Entry,
    known_as: [&Entrant; 2],
) -> Result<Vec<Standing>, Problem> {
    let players = known_as.into_iter();
    let players = players.filter(|known| matches!(known, Entrant::Player(_)));
    let mut theirs = neighbours(change, desk, frozen, players)?;
    theirs.retain(|other| other.entry.form_number < row.form_number);
    Ok(as_standing(frozen, theirs))
}

/// The entries of a player, beside one whose entrant is this: what is found of somebody is so in all of them.
fn beside(theirs: &[Standing], entrant: &Entrant) -> Vec<Standing> {
    let mut theirs = theirs.to_vec();
    for other in &mut theirs {
        for fact in [FactName::BirthDate, FactName::Federation] {
            other.entrant.take_fact(fact, entrant);
        }
    }
    theirs
}

struct Found {
    entrant: Entrant,
    /// Whether the fact has another value now.
    changed: bool,
}

fn asks_nothing() -> Problem {
    let text = Text::new(
        "Ni el preu ni l'admissió d'aquesta inscripció depenen d'aquesta dada.",
        "Ni el precio ni la admisión de esta inscripción dependen de este dato.",
        "Neither price nor admission of this entry depend on this fact.",
    );
    Problem::new(Slug::IllegalMove).field("fact", "not_asked", text)
}

fn wrong_value(error: domain::IdError) -> Problem {
    let text = Text::new(
        format!("«{}» no és un valor possible.", error.text),
        format!("«{}» no es un valor posible.", error.text),
        format!("“{}” is not a possible value.", error.text),
    );
    Problem::new(Slug::InvalidFields).field("value", "not_a_value", text)
}
