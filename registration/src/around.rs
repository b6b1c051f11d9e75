//! What the price of an entry that stands goes by, beside its own facts and its section.

use domain::{
    Currency, Entrant, EntryRequest, Instants, Others, Problem, Quote, QuoteRequest, SectionId,
    Standing, Taken,
};
use rules::Regulation;
use store::change::Change;
use store::entries::Entry;

use crate::desk::Desk;
use crate::dossier::Dossier;
use crate::{claims, groups};

/// The instants, currency, limited rows, numbers and other entries that an entry is priced with.
pub(crate) struct Around {
    pub at: Instants,
    pub currency: Currency,
    pub taken: Taken,
    pub others: Others,
    /// What a promotion may join it with.
    pub standing: Vec<Standing>,
}

impl Around {
    /// Those of an entry of an order, were its entrant this one: the order's own instants and currency, the limited rows that
    /// the entry has, and who stands beside it now.
    pub(crate) fn of(
        change: &mut Change<'_>,
        desk: &Desk,
        frozen: &Regulation,
        (dossier, index): (&Dossier, usize),
        entrant: &Entrant,
    ) -> Result<Around, Problem> {
        let row = &dossier.entries[index];
        let entry = row.id;
        let held = claims::held(change, frozen, entry)?;
        let who = std::iter::once(entrant);
        let mut others = groups::others(change, desk, frozen, who, Some(row))?;
        if frozen.counts_others() {
            let live = |rows: &[Entry]| {
                let live = rows.iter().filter(|row| row.status.is_live());
                u32::try_from(live.count()).unwrap_or(u32::MAX)
            };
            others.later_in_order = live(&dossier.entries[index + 1..]);
            others.in_order = live(&dossier.entries[..index]) + others.later_in_order;
        }
        Ok(Around {
            at: dossier.order.instants(),
            currency: dossier.order.currency,
            taken: frozen.taken_but(&held),
            others,
            standing: Vec::new(),
        })
    }

    /// One entry as it is priced by itself, or with what stands, under the version of its order.
    pub(crate) fn price(
        &self,
        frozen: &Regulation,
        section: Option<SectionId>,
        entrant: &Entrant,
    ) -> Quote {
        let entrant = entrant.clone();
        let request = QuoteRequest {
            at: self.at.registered,
            paid_at: Some(self.at.paid),
            received_at: Some(self.at.received),
            currency: Some(self.currency),
            entries: vec![EntryRequest { section, entrant }],
            standing: self.standing.clone(),
            taken: self.taken.clone(),
            others: self.others.clone(),
        };
        rules::quote(frozen, &request)
    }
}
