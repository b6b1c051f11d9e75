//! A regulation is read, looked at, and published as the next version: orders that stand keep theirs.

use std::sync::Arc;
use std::time::Duration;

use domain::{Event, Problem, Slug, Text, TournamentId};
use rules::check::{Finding, Limits, Severity};
use rules::{Fault, Regulation};
use serde::{Deserialize, Serialize};
use store::Lane;
use store::change::Change;
use store::tournaments::{self, Published};

use crate::desk::{By, Desk};
use crate::may_change::{self, Standing};
use crate::offer;

/// Classes of entrants that one look at a whole text may take, all sections together.
const CLASSES: u32 = 5 * Limits::CLASSES;

/// Faults of a text that are told at once.
const TOLD: usize = 50;

/// How long a text waits for its turn to be looked at.
const PATIENCE: Duration = Duration::from_secs(8);

/// A text that is to be the next version.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Publish {
    /// The TOML text.
    pub source: String,
    /// The number of the version that it takes the place of: whoever wrote it had that one before them.
    pub replaces: i32,
}

/// The version that counts now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Publication {
    /// Its number.
    pub version: i32,
    /// SHA-256 of the text.
    pub hash: String,
    /// Whether it was published by this; not where the published text says the same to the byte.
    pub new: bool,
}

/// What a text comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// It is no regulation: every fault, in the order of the lines.
    Unreadable(Vec<Fault>),
    /// It is one, of this tournament; what is wrong or doubtful about it, errors first.
    Read(TournamentId, Vec<Finding>),
}

impl Desk {
    /// Looks at a text as `enroc regulation check` does. It need not be of a tournament that is served.
    ///
    /// # Errors
    /// [`Slug::Overload`] where too many are looked at already.
    pub async fn check_text(&self, source: String) -> Result<Checked, Problem> {
        let desk = self.clone();
        self.walk(move || match Regulation::parse("source", &source, 1) {
            Err(error) => Checked::Unreadable(error.faults),
            Ok(regulation) => {
                let findings = desk.findings(&regulation);
                Checked::Read(regulation.tournament().clone(), findings)
            }
        })
        .await
    }

    /// Publishes a text as the next version. New orders are priced under it from the commit on, whichever node takes them;
    /// orders that stand keep their version, with the better of its refund clause and the new one. Whoever waits is offered
    /// the seats that it brings. A text that is the published one already changes nothing. Answers with what `check` warns of.
    ///
    /// # Errors
    /// [`Slug::InvalidFields`] for a text that is no regulation, is of another tournament or has errors; [`Slug::Raced`]
    /// where another version was published meanwhile; [`Slug::IllegalMove`] with what the orders that stand do not allow.
    pub async fn publish(
        &self,
        by: &By,
        tournament: &TournamentId,
        asked: Publish,
    ) -> Result<(Publication, Vec<Finding>), Problem> {
        let (file, findings) = self.read_text(tournament, &asked).await?;
        refuse_errors(&findings)?;
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "publish", tournament, "", &asked);
        let (desk, next) = (self.clone(), Arc::clone(&file));
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            carry_out(change, &desk, &next, asked.replaces)
        });
        let publication = outcome.await?;
        if publication.new && publication.hash == *file.reference().hash {
            self.remember(file);
        }
        Ok((publication, findings))
    }

    /// A text of this tournament that can be read, as the version after the one that it replaces, and what is found in it.
    pub(crate) async fn read_text(
        &self,
        tournament: &TournamentId,
        asked: &Publish,
    ) -> Result<(Arc<Regulation>, Vec<Finding>), Problem> {
        self.regulation(tournament)?;
        let (source, version) = (asked.source.clone(), asked.replaces.saturating_add(1));
        let (desk, tournament) = (self.clone(), tournament.clone());
        self.walk(move || {
            let parsed = Regulation::parse("source", &source, version);
            let regulation = parsed.map_err(|error| unreadable(&error.faults))?;
            if *regulation.tournament() != tournament {
                return Err(of_another(regulation.tournament()));
            }
            let findings = desk.findings(&regulation);
            Ok((Arc::new(regulation), findings))
        })
        .await?
    }

    /// Runs a walk through all classes of entrants beside the requests, few at once.
    pub(crate) async fn walk<T: Send + 'static>(
        &self,
        f: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = tokio::time::timeout(PATIENCE, self.walks().acquire()).await;
        let Ok(Ok(_turn)) = turn else {
            return Err(Problem {
                retry_after: Some(rand::random_range(2..=8)),
                ..Problem::new(Slug::Overload)
            });
        };
        tokio::task::spawn_blocking(f)
            .await
            .map_err(Problem::internal)
    }

    /// What `check` finds within the budget, each section and currency a share of it, and by what the gateway can charge.
    fn findings(&self, regulation: &Regulation) -> Vec<Finding> {
        let walks = regulation.sections().count() * regulation.currencies().len();
        let walks = u32::try_from(walks).unwrap_or(u32::MAX);
        let limits = Limits {
            classes: (CLASSES / walks.max(1)).clamp(1, Limits::CLASSES),
            ..Limits::ANY_SUM
        };
        let gateway = self.gateway().ok();
        let limits = |currency| {
            gateway.as_ref().map_or(limits, |gateway| Limits {
                minimum_charge: gateway.minimum(currency).unwrap_or(1),
                maximum_charge: gateway.maximum(currency),
                charge_step: gateway.step(currency),
                ..limits
            })
        };
        rules::check::checked(regulation, &limits).findings
    }
}

fn carry_out(
    change: &mut Change<'_>,
    desk: &Desk,
    next: &Regulation,
    replaces: i32,
) -> Result<Publication, Problem> {
    let present = desk.present(change)?;
    if present.reference().hash == next.reference().hash {
        return Ok(Publication {
            version: present.reference().version,
            hash: present.reference().hash.to_string(),
            new: false,
        });
    }
    if present.reference().version != replaces {
        return Err(replaced_meanwhile(present.reference().version));
    }
    let standing = Standing::read(change, &present)?;
    may_change::refuse(may_change::obstacles(&present, next, &standing))?;
    let publication = Publication {
        version: next.reference().version,
        hash: next.reference().hash.to_string(),
        new: true,
    };
    let told = Event::RegulationPublished {
        version: publication.version,
        hash: publication.hash.clone(),
    };
    let number = change.record(None, &told, &[])?;
    let published = Published {
        version: publication.version,
        hash: publication.hash.clone(),
        source: next.source().to_owned(),
    };
    let language = i32::try_from(next.reference().language).map_err(Problem::internal)?;
    let (id, when) = (change.tournament.id.clone(), (change.stamp.wall, number));
    tournaments::publish(change.conn()?, &id, &published, language, when)?;
    change.tournament.version = publication.version;
    offer::offer_seats(change, next)?;
    Ok(publication)
}

fn unreadable(faults: &[Fault]) -> Problem {
    let mut problem = Problem::new(Slug::InvalidFields);
    for fault in faults.iter().take(TOLD) {
        problem = problem.field(
            "source",
            "unreadable",
            at_line(fault.line, &same(&fault.reason)),
        );
    }
    problem
}

fn refuse_errors(findings: &[Finding]) -> Result<(), Problem> {
    let mut errors = findings
        .iter()
        .filter(|f| f.severity == Severity::Error)
        .peekable();
    if errors.peek().is_none() {
        return Ok(());
    }
    let mut problem = Problem::new(Slug::InvalidFields);
    for finding in errors.take(TOLD) {
        problem = problem.field(
            "source",
            finding.code,
            at_line(finding.line, &with_example(finding)),
        );
    }
    Err(problem)
}

/// What is wrong, and somebody it happens to.
fn with_example(finding: &Finding) -> Text {
    let Some(who) = &finding.example else {
        return finding.message.clone();
    };
    let text = &finding.message;
    Text::new(
        format!("{} Per exemple: {who}.", text.ca),
        format!("{} Por ejemplo: {who}.", text.es),
        format!("{} For example: {who}.", text.en),
    )
}

/// A sentence about a line of the text.
fn at_line(line: usize, text: &Text) -> Text {
    Text::new(
        format!("Línia {line}: {}", text.ca),
        format!("Línea {line}: {}", text.es),
        format!("Line {line}: {}", text.en),
    )
}

fn of_another(id: &TournamentId) -> Problem {
    let text = Text::new(
        format!("Aquestes bases són d'un altre torneig: {id}."),
        format!("Estas bases son de otro torneo: {id}."),
        format!("These regulations are of another tournament: {id}."),
    );
    Problem::new(Slug::InvalidFields).field("source", "another_tournament", text)
}

fn replaced_meanwhile(version: i32) -> Problem {
    let text = Text::new(
        format!("La versió publicada és la {version}; mireu-la i torneu a dir quina substituïu."),
        format!("La versión publicada es la {version}; mírela y vuelva a decir cuál sustituye."),
        format!(
            "The published version is {version}; look at it and say again which one you replace."
        ),
    );
    Problem::new(Slug::Raced).field("replaces", "replaced_meanwhile", text)
}

/// Faults of a text are told in the language of its keys.
fn same(reason: &str) -> Text {
    Text::new(reason, reason, reason)
}
