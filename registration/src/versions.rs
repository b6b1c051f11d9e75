//! The versions of regulations: read from the database once, and which of them counts.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLockReadGuard};

use domain::{Problem, Slug, TournamentId};
use rules::Regulation;
use store::change::Change;
use store::guard::{Guard, under_lock};
use store::tournaments::{self, Published};
use store::versions::{self, Version};

use crate::desk::Desk;

/// By tournament and number.
pub(crate) type Versions = BTreeMap<TournamentId, BTreeMap<i32, Arc<Regulation>>>;

impl Desk {
    fn versions(&self) -> RwLockReadGuard<'_, Versions> {
        self.shelf().read().unwrap_or_else(PoisonError::into_inner)
    }

    fn at_hand(&self, tournament: &TournamentId, version: i32) -> Option<Arc<Regulation>> {
        let versions = self.versions();
        versions.get(tournament)?.get(&version).cloned()
    }

    /// The newest version that this node has noticed: what questions are answered by. A decision goes by
    /// [`Desk::present`].
    ///
    /// # Errors
    /// [`Slug::UnknownTournament`].
    pub fn regulation(&self, tournament: &TournamentId) -> Result<Arc<Regulation>, Problem> {
        let versions = self.versions();
        let newest = versions
            .get(tournament)
            .and_then(|v| v.values().next_back());
        newest
            .cloned()
            .ok_or_else(|| Problem::new(Slug::UnknownTournament))
    }

    /// The version that counts inside a change: that of the locked row, which another node may have published a moment
    /// ago.
    pub(crate) fn present(&self, change: &mut Change<'_>) -> Result<Arc<Regulation>, Problem> {
        let tournament = change.tournament.id.clone();
        let version = under_lock(Guard::Version, change.tournament.version);
        if let Some(regulation) = self.at_hand(&tournament, version) {
            return Ok(regulation);
        }
        let published = tournaments::published(change.conn()?, &tournament, version)?;
        self.read_in(&tournament, published)
    }

    /// One published version; read from the database once.
    pub(crate) async fn version(
        &self,
        tournament: &TournamentId,
        version: i32,
    ) -> Result<Arc<Regulation>, Problem> {
        if let Some(regulation) = self.at_hand(tournament, version) {
            return Ok(regulation);
        }
        let id = tournament.clone();
        let published = self
            .store()
            .read(move |c| tournaments::published(c, &id, version))
            .await;
        self.read_in(tournament, published?)
    }

    fn read_in(
        &self,
        tournament: &TournamentId,
        published: Option<Published>,
    ) -> Result<Arc<Regulation>, Problem> {
        let published = published.ok_or_else(|| Problem::new(Slug::UnknownTournament))?;
        let parsed = Regulation::parse(tournament.as_str(), &published.source, published.version);
        let regulation = Arc::new(parsed.map_err(Problem::internal)?);
        self.remember(Arc::clone(&regulation));
        Ok(regulation)
    }

    pub(crate) fn remember(&self, regulation: Arc<Regulation>) {
        let reference = regulation.reference();
        let (tournament, version) = (reference.tournament.clone(), reference.version);
        self.shelf()
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(tournament)
            .or_default()
            .insert(version, regulation);
    }

    /// Every tournament that is served, with the newest version that this node has noticed.
    #[must_use]
    pub fn tournaments(&self) -> Vec<Arc<Regulation>> {
        let versions = self.versions();
        let newest = versions.values().filter_map(|v| v.values().next_back());
        newest.cloned().collect()
    }

    /// Notices what other nodes and commands have published meanwhile; how many versions were new here.
    ///
    /// # Errors
    /// [`Problem`] when the database fails, or holds a text that this program cannot read.
    pub async fn step_versions(&self) -> Result<usize, Problem> {
        let newest = self.store().read(versions::newest).await;
        let mut noticed = 0;
        for (tournament, version) in newest? {
            if self.at_hand(&tournament, version).is_none() {
                self.version(&tournament, version).await?;
                tracing::info!(%tournament, version, "a new version of a regulation counts");
                noticed += 1;
            }
        }
        Ok(noticed)
    }

    /// The published versions of a tournament after a number, at most `limit`, in order.
    ///
    /// # Errors
    /// [`Slug::UnknownTournament`].
    pub async fn published_versions(
        &self,
        tournament: &TournamentId,
        after: i32,
        limit: i64,
    ) -> Result<Vec<Version>, Problem> {
        self.regulation(tournament)?;
        let id = tournament.clone();
        self.store()
            .read(move |c| Ok(versions::after(c, &id, after, limit)?))
            .await
    }

    /// One published version with its text.
    ///
    /// # Errors
    /// [`Slug::UnknownTournament`], [`Slug::UnknownVersion`].
    pub async fn published_version(
        &self,
        tournament: &TournamentId,
        version: i32,
    ) -> Result<(Version, Published), Problem> {
        self.regulation(tournament)?;
        let id = tournament.clone();
        let found = self
            .store()
            .read(move |c| {
                let text = tournaments::published(c, &id, version)?;
                let about = versions::after(c, &id, version - 1, 1)?;
                Ok::<_, Problem>(about.into_iter().next().zip(text))
            })
            .await?;
        found
            .filter(|(about, _)| about.version == version)
            .ok_or_else(|| Problem::new(Slug::UnknownVersion))
    }
}
