//! Where the two engines differ, and nowhere else.
//!
//! Diesel refuses on a [`Conn`] what it cannot know to exist on every engine (`ON CONFLICT`, row locks, `as_returning`).
//! These wrappers say it once for both.

use diesel::expression::{
    AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate,
};
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::BigInt;
use diesel::sqlite::Sqlite;
use diesel::{QueryResult, RunQueryDsl, Selectable};

use crate::{Conn, Db};

/// A statement that both engines take, each in its own dialect: `ON CONFLICT … RETURNING` above all.
///
/// `Both(insert_into(t).values(v).on_conflict_do_nothing().returning(columns::<Row>())).get_result(conn).optional()?` is
/// `None` when the row is there already.
#[derive(Debug, Clone, Copy)]
pub struct Both<T>(pub T);

impl<T: QueryId> QueryId for Both<T> {
    type QueryId = Both<T::QueryId>;
    const HAS_STATIC_QUERY_ID: bool = T::HAS_STATIC_QUERY_ID;
}

impl<T: Query> Query for Both<T> {
    type SqlType = T::SqlType;
}

impl<T: QueryFragment<Pg> + QueryFragment<Sqlite>> QueryFragment<Db> for Both<T> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        Db::walk_variant_ast(&self.0, pass)
    }
}

impl<T> RunQueryDsl<Conn> for Both<T> {}

macro_rules! row_lock {
    ($(#[$doc:meta])* $name:ident, $clause:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name<T>(pub T);

        impl<T> QueryId for $name<T> {
            type QueryId = ();
            const HAS_STATIC_QUERY_ID: bool = false;
        }

        impl<T: Query> Query for $name<T> {
            type SqlType = T::SqlType;
        }

        impl<T: QueryFragment<Db>> QueryFragment<Db> for $name<T> {
            fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Db>) -> QueryResult<()> {
                self.0.walk_ast(pass.reborrow())?;
                if matches!(pass.backend(), Db::Pg(_)) {
                    pass.push_sql($clause);
                }
                Ok(())
            }
        }

        impl<T> RunQueryDsl<Conn> for $name<T> {}
    };
}

row_lock!(
    /// A SELECT that keeps its rows until the commit: the tournament's row, before every check-then-write. SQLite has one
    /// writer at a time and needs no more.
    LockRow,
    " FOR UPDATE"
);

row_lock!(
    /// A SELECT that takes rows for work and passes over those that another worker holds.
    Claim,
    " FOR UPDATE SKIP LOCKED"
);

/// The columns of a row, for `select` and `returning`. Stands in for `as_select` and `as_returning`, which tie the row to
/// one backend, and keeps their guard on the order of fields.
#[must_use]
pub fn columns<T: Selectable<Db>>() -> T::SelectExpression {
    T::construct_selection()
}

/// The sum of a BIGINT expression as BIGINT, zero over no rows. PostgreSQL's own `SUM(bigint)` is NUMERIC.
pub fn sum_bigint<E: Expression<SqlType = BigInt>>(of: E) -> SumBigint<E> {
    SumBigint(of)
}

/// See [`sum_bigint`].
#[derive(Debug, Clone, Copy, QueryId)]
pub struct SumBigint<E>(E);

impl<E: Expression> Expression for SumBigint<E> {
    type SqlType = BigInt;
}

impl<E, G> ValidGrouping<G> for SumBigint<E> {
    type IsAggregate = is_aggregate::Yes;
}

impl<E: SelectableExpression<S>, S> SelectableExpression<S> for SumBigint<E> {}

impl<E: AppearsOnTable<S>, S> AppearsOnTable<S> for SumBigint<E> {}

impl<E: QueryFragment<DB>, DB: diesel::backend::Backend> QueryFragment<DB> for SumBigint<E> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        pass.push_sql("COALESCE(CAST(SUM(");
        self.0.walk_ast(pass.reborrow())?;
        pass.push_sql(") AS BIGINT), 0)");
        Ok(())
    }
}
