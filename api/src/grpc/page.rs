//! Pages of lists: how many at most, after what, and what asks for the next.

use std::str::FromStr;

use domain::Problem;

use crate::wire::{Faults, Rule};

/// A page that is asked for.
pub struct Page<T> {
    /// How many at most.
    pub size: usize,
    /// What came last on the page before.
    pub after: Option<T>,
}

impl<T: FromStr> Page<T> {
    /// The page of these fields: 0 is `usual`, more than `most` is refused.
    ///
    /// # Errors
    /// [`domain::Slug::InvalidFields`] for a size or token that none of our pages has.
    pub fn of(size: u32, token: &str, usual: usize, most: usize) -> Result<Page<T>, Problem> {
        let mut faults = Faults::default();
        let size = match usize::try_from(size) {
            Ok(0) => usual,
            Ok(size) if size <= most => size,
            _ => {
                faults.add("page_size", Rule::OutOfRange);
                most
            }
        };
        let after = Some(token)
            .filter(|token| !token.is_empty())
            .and_then(|token| faults.parsed("page_token", token, Rule::NotAnId));
        faults.finish(Some(Page { size, after }))
    }
}

/// Asks for the page after one whose last item has this name; empty where that one was not full.
pub fn next(found: usize, size: usize, last: Option<String>) -> String {
    last.filter(|_| found >= size).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use domain::TournamentId;

    use super::*;

    #[test]
    fn a_page_has_a_size_and_a_place_to_go_on_from() {
        let page = |size, token| Page::<TournamentId>::of(size, token, 50, 200);
        assert_eq!(page(0, "").unwrap().size, 50);
        assert_eq!(
            page(200, "a-b").unwrap().after,
            Some("a-b".parse().unwrap())
        );
        for (size, token, field) in [(201, "", "page_size"), (1, "a b", "page_token")] {
            let problem = page(size, token).err().unwrap();
            assert_eq!(problem.fields[0].field, field);
        }
    }

    #[test]
    fn the_last_page_asks_for_none() {
        assert_eq!(next(2, 2, Some("b".into())), "b");
        assert_eq!(next(1, 2, Some("b".into())), "");
        assert_eq!(next(0, 2, None), "");
    }
}
