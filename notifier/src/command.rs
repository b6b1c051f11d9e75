//! Which rows of the journal were written together: one command, one cause, one word about it.

use domain::{OrderId, Recorded};

/// Whether two neighbours in the journal were written by one command: same instant, same actor.
fn together(a: &Recorded, b: &Recorded) -> bool {
    a.number + 1 == b.number && a.at == b.at && a.actor == b.actor
}

/// Rows in the order of the journal, split by command.
pub(crate) fn split(rows: &[Recorded]) -> impl Iterator<Item = &[Recorded]> {
    rows.chunk_by(together)
}

/// How many of these rows belong to commands that are certainly whole: all where the journal has no more (`last`),
/// else all but those of the last command, unless it is the only one.
pub(crate) fn whole(rows: &[Recorded], last: bool) -> usize {
    let tail = split(rows).last().map_or(0, <[Recorded]>::len);
    if last || tail == rows.len() {
        return rows.len();
    }
    rows.len() - tail
}

/// The rows about each order, orders in the order in which the command first named them.
pub(crate) fn by_order(command: &[Recorded]) -> Vec<(OrderId, Vec<&Recorded>)> {
    let mut orders: Vec<(OrderId, Vec<&Recorded>)> = Vec::new();
    for row in command {
        let Some(order) = row.order else { continue };
        match orders.iter_mut().find(|(known, _)| *known == order) {
            Some((_, rows)) => rows.push(row),
            None => orders.push((order, vec![row])),
        }
    }
    orders
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use domain::{Actor, Event};

    pub(crate) fn row(
        number: i64,
        second: u32,
        actor: Actor,
        order: i64,
        event: Event,
    ) -> Recorded {
        Recorded {
            number,
            at: format!("2026-07-01T00:00:{second:02}Z").parse().unwrap(),
            order: Some(OrderId(order)),
            actor,
            reason: String::new(),
            event,
        }
    }

    fn rolled(number: i64, second: u32, actor: Actor, order: i64) -> Recorded {
        row(
            number,
            second,
            actor,
            order,
            Event::TokenRolled { generation: 1 },
        )
    }

    #[test]
    fn a_command_ends_where_instant_or_actor_change() {
        let rows = [
            rolled(1, 0, Actor::Payer, 1),
            rolled(2, 0, Actor::Payer, 2),
            rolled(3, 0, Actor::Payer, 1),
            rolled(4, 0, Actor::Timer, 1),
            rolled(5, 1, Actor::Timer, 1),
        ];
        let lengths: Vec<usize> = split(&rows).map(<[Recorded]>::len).collect();
        assert_eq!(lengths, [3, 1, 1]);
        let orders: Vec<(i64, usize)> = by_order(&rows[..3])
            .iter()
            .map(|(order, rows)| (order.0, rows.len()))
            .collect();
        assert_eq!(orders, [(1, 2), (2, 1)]);
        assert_eq!(whole(&rows, true), 5);
        assert_eq!(whole(&rows, false), 4, "the last command may go on");
        assert_eq!(
            whole(&rows[..3], false),
            3,
            "a command longer than the page"
        );
        assert_eq!(whole(&[], true), 0);
    }
}
