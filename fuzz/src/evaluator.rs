//! Any request to any regulation has an answer that adds up, and the same one again.

use std::collections::BTreeMap;

use arbitrary::{Result, Unstructured};
use domain::{
    ByePoints, ByeRequest, EntryId, EntryRequest, OrderId, Others, Quote, QuoteRequest, RefundAsk,
    RefundCause, SectionId, Standing, Taken, UtcTime,
};
use rules::{
    Regulation, Remaining, better_refund, byes, eligibility, quote, refund, remaining_price,
};

use crate::mutate;
use crate::people::{People, sum};

/// Fewer bytes make no request: what is missing would be read as zeros.
const LEAST: usize = 200;

/// Makes a regulation and what is asked of it out of the bytes, and looks at the answers.
pub fn evaluator(data: &[u8]) {
    if data.len() >= LEAST {
        // What cannot be made of these bytes is not asked.
        let _ = ask(&mut Unstructured::new(data));
    }
}

fn ask(bytes: &mut Unstructured<'_>) -> Result<()> {
    let regulation = mutate::regulation(bytes)?;
    let regulation = &*regulation;
    let asking = Asking {
        regulation,
        people: People::of(regulation),
        sections: regulation.sections().map(|it| it.id.clone()).collect(),
    };
    asking.refunds(bytes)?;
    asking.byes(bytes)?;
    let request = asking.request(bytes)?;
    let answer = quote(regulation, &request);
    adds_up(&answer, &request);
    assert_eq!(answer, quote(regulation, &request), "asked again");
    assert_eq!(answer.reasons, eligibility(regulation, &request));
    holds_until(regulation, &request, &answer);
    remains(regulation, &request, &answer);
    Ok(())
}

fn adds_up(answer: &Quote, request: &QuoteRequest) {
    assert_eq!(answer.eligible, answer.reasons.is_empty());
    assert_eq!(answer.entries.len(), request.entries.len());
    for (place, entry) in answer.entries.iter().enumerate() {
        let lines = answer.lines.iter().filter(|line| line.entry == place);
        let lines = lines.map(|line| i128::from(line.amount));
        assert_eq!(lines.sum::<i128>(), i128::from(entry.total), "{answer:?}");
        assert!(entry.total >= 0, "{answer:?}");
        assert!(entry.total == 0 || answer.eligible, "{answer:?}");
    }
    let entries = answer.entries.iter().map(|entry| i128::from(entry.total));
    assert_eq!(entries.sum::<i128>(), i128::from(answer.total));
    for claim in &answer.claims {
        let mut lines = answer.lines.iter();
        let of_it = lines.any(|line| line.entry == claim.entry && *line.rule == *claim.rule);
        assert!(of_it, "{claim:?} makes no line");
        let own = answer.claims.iter().filter(|own| own.rule == claim.rule);
        let taken = request.taken.get(&claim.rule).copied().unwrap_or(0);
        let all = own.count() as u64 + u64::from(taken);
        assert!(all <= u64::from(claim.limit), "{claim:?} of {all}");
    }
    for reason in &answer.reasons {
        let sentences = [&reason.text.ca, &reason.text.es, &reason.text.en];
        assert!(!reason.code.is_empty());
        assert!(sentences.iter().all(|text| !text.is_empty()), "{reason:?}");
    }
}

/// A price is the same until its quote says.
fn holds_until(regulation: &Regulation, request: &QuoteRequest, answer: &Quote) {
    let Some(until) = answer.valid_until else {
        return;
    };
    assert!(until > request.at);
    let last = QuoteRequest {
        at: UtcTime::from_micros(until.as_micros() - 1),
        ..request.clone()
    };
    let last = quote(regulation, &last);
    if last.eligible {
        assert_eq!(last.total, answer.total, "until {until}");
    }
}

/// What remains when nobody leaves costs what was asked for it, where nothing stood before.
fn remains(regulation: &Regulation, request: &QuoteRequest, answer: &Quote) {
    let claims = |place: usize| -> Vec<String> {
        let own = answer.claims.iter().filter(|claim| claim.entry == place);
        own.map(|claim| claim.rule.clone()).collect()
    };
    let claims: Vec<Vec<String>> = (0..request.entries.len()).map(claims).collect();
    let remaining: Vec<Remaining<'_>> = (0..)
        .zip(&request.entries)
        .zip(&claims)
        .map(|((number, entry), claims)| Remaining {
            entry: EntryId(number),
            order: OrderId(1),
            at: request.instants(),
            currency: answer.currency,
            section: entry.section.as_ref(),
            entrant: &entry.entrant,
            claims,
        })
        .collect();
    let prices = remaining_price(regulation, &remaining);
    assert_eq!(prices.len(), remaining.len());
    assert_eq!(prices, remaining_price(regulation, &remaining));
    for (price, entry) in prices.iter().zip(&answer.entries) {
        assert!(price.total.is_none_or(|total| total >= 0), "{price:?}");
        // What goes by how many there are is not asked of who remains.
        let alone = request.standing.is_empty() && !regulation.counts_others();
        if answer.eligible && alone {
            assert_eq!(price.total, Some(entry.total));
        }
    }
}

struct Asking<'r> {
    regulation: &'r Regulation,
    people: People<'r>,
    sections: Vec<SectionId>,
}

impl Asking<'_> {
    fn request(&self, bytes: &mut Unstructured<'_>) -> Result<QuoteRequest> {
        let at = self.instant(bytes)?;
        let later = |bytes: &mut Unstructured<'_>| match bytes.ratio(1, 3)? {
            true => self.instant(bytes).map(Some),
            false => Ok(None),
        };
        let (paid_at, received_at) = (later(bytes)?, later(bytes)?);
        let mut taken = Taken::new();
        for rule in self.regulation.limited_rows() {
            taken.insert(rule.to_owned(), *bytes.choose(&[0, 1, 2, 5, u32::MAX])?);
        }
        let entries = *bytes.choose(&[1, 1, 1, 2, 2, 3, 4, 0])?;
        let standing = *bytes.choose(&[0, 0, 1, 2, 3])?;
        let entry = |bytes: &mut Unstructured<'_>| {
            let section = self.section(bytes)?;
            Ok(EntryRequest {
                entrant: self.people.entrant(bytes, section.as_ref())?,
                section,
            })
        };
        let stands = |bytes: &mut Unstructured<'_>| {
            let section = self.section(bytes)?;
            Ok(Standing {
                entry: EntryId(bytes.int_in_range(0..=3)?),
                entrant: self.people.entrant(bytes, section.as_ref())?,
                section,
                price: sum(bytes)?,
                currency: self.people.currency(bytes)?,
                promotions: match bytes.arbitrary()? {
                    true => vec![self.people.word(bytes)?.to_owned()],
                    false => Vec::new(),
                },
            })
        };
        Ok(QuoteRequest {
            at,
            paid_at,
            received_at,
            currency: self.people.currency(bytes)?,
            taken,
            others: self.others(bytes)?,
            entries: (0..entries).map(|_| entry(bytes)).collect::<Result<_>>()?,
            standing: (0..standing)
                .map(|_| stands(bytes))
                .collect::<Result<_>>()?,
        })
    }

    fn others(&self, bytes: &mut Unstructured<'_>) -> Result<Others> {
        let mut others = Others::default();
        if self.regulation.counts_others() {
            others.in_order = *bytes.choose(&[0, 1, 3, 9, u32::MAX])?;
            let group = self.people.word(bytes)?.to_owned();
            let count = *bytes.choose(&[0, 1, 3, 9, u32::MAX])?;
            let later = *bytes.choose(&[0, 1, 3, u32::MAX])?;
            others.later_by_group.insert(group.clone(), later);
            others.later_in_order = later;
            others.by_group.insert(group, count);
        }
        Ok(others)
    }

    /// Mostly one of the file, else none or one that there is not.
    fn section(&self, bytes: &mut Unstructured<'_>) -> Result<Option<SectionId>> {
        match bytes.int_in_range(0..=31)? {
            0 => Ok(None),
            1 => Ok("elsewhere".parse().ok()),
            _ if self.sections.is_empty() => Ok(None),
            _ => Ok(Some(bytes.choose(&self.sections)?.clone())),
        }
    }

    /// Around what the file names: play, the ends of entry; or any instant at all.
    fn instant(&self, bytes: &mut Unstructured<'_>) -> Result<UtcTime> {
        let regulation = self.regulation;
        let named = match bytes.int_in_range(0..=15)? {
            0 => return Ok(UtcTime::from_micros(bytes.arbitrary()?)),
            1 => regulation.opens(),
            2 => Some(regulation.begins()),
            _ => regulation.closes(),
        };
        let named = named.unwrap_or(regulation.begins());
        let seconds = match bytes.ratio(1, 8)? {
            true => bytes.int_in_range(-1..=1)?,
            false => bytes.int_in_range(-100 * 86_400..=0)?,
        };
        Ok(named.plus_seconds(seconds))
    }

    fn refunds(&self, bytes: &mut Unstructured<'_>) -> Result<()> {
        const CAUSES: [RefundCause; 7] = [
            RefundCause::Player,
            RefundCause::Organiser,
            RefundCause::Rejected,
            RefundCause::NoSeat,
            RefundCause::Price,
            RefundCause::Staff,
            RefundCause::Finished,
        ];
        let mut rows = BTreeMap::new();
        for row in self.regulation.deposits().chain(["nobody's"]) {
            rows.insert(row.to_owned(), sum(bytes)?);
        }
        let proofs: Vec<&str> = self.regulation.proofs().map(|(tier, _)| tier).collect();
        let proof = match bytes.arbitrary()? {
            true => None,
            false => Some(bytes.choose(&proofs).copied().unwrap_or("none").to_owned()),
        };
        let ask = RefundAsk {
            paid: sum(bytes)?.max(0),
            currency: self
                .people
                .currency(bytes)?
                .unwrap_or(self.regulation.currency()),
            requested_at: self.instant(bytes)?,
            cause: match bytes.arbitrary()? {
                true => RefundCause::Player,
                false => *bytes.choose(&CAUSES)?,
            },
            approved: bytes.arbitrary()?,
            section: self.section(bytes)?,
            rows,
            credit: bytes.arbitrary()?,
            proof,
        };
        let found = refund(self.regulation, &ask);
        assert!((0..=ask.paid).contains(&found.refund), "{ask:?} {found:?}");
        assert_eq!(
            i128::from(found.refund) + i128::from(found.kept),
            i128::from(ask.paid),
            "{ask:?} {found:?}"
        );
        let parts = found.clone().by_rule();
        let back: i64 = parts.iter().map(|part| part.refund).sum();
        assert_eq!(back, found.refund, "{ask:?} {found:?}");
        assert_eq!(found, refund(self.regulation, &ask), "asked again");
        let better = better_refund(self.regulation, self.regulation, &ask);
        assert_eq!(better, found, "of two that are the same");
        Ok(())
    }

    fn byes(&self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let Some(section) = self.section(bytes)? else {
            return Ok(());
        };
        let bye = |bytes: &mut Unstructured<'_>| {
            Ok(ByeRequest {
                round: match bytes.ratio(1, 16)? {
                    true => bytes.arbitrary()?,
                    false => bytes.int_in_range(0..=12)?,
                },
                points: *bytes.choose(&[ByePoints::Half, ByePoints::Zero])?,
            })
        };
        let count = bytes.int_in_range(0..=5)?;
        let asked: Vec<ByeRequest> = (0..count).map(|_| bye(bytes)).collect::<Result<_>>()?;
        let answer = byes(self.regulation, &section, &asked);
        assert_eq!(answer.allowed, answer.reasons.is_empty());
        let has_bye = |round: &u32| asked.iter().any(|bye| bye.round == *round);
        assert!(!answer.unpaired.iter().any(has_bye), "{answer:?}");
        Ok(())
    }
}
