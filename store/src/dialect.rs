//! Where the two engines differ, and nowhere else.
//!
//! Diesel refuses on a [`Conn`] what it cannot know to exist on every engine (`ON CONFLICT`, row locks, `as_returning`).
//! These wrappers say it once for both.

use std::marker::PhantomData;

use diesel::expression::{
    AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate,
};
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Bool, Text};
use diesel::sqlite::Sqlite;
use diesel::{QueryResult, RunQueryDsl, Selectable};
use serde::Serialize;

use crate::guard::{Guard, stands};
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

/// Whether a BIGINT column is one of these: one statement, prepared once, however many they are. PostgreSQL gets an array,
/// as it would look at the whole table for a subquery.
pub(crate) fn among<C: Expression<SqlType = BigInt>>(
    column: C,
    ids: impl IntoIterator<Item = i64>,
) -> Among<C> {
    let ids: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
    Among {
        column,
        json: format!("[{}]", ids.join(",")),
    }
}

/// See [`among`].
#[derive(Debug, Clone, QueryId)]
pub(crate) struct Among<C> {
    column: C,
    json: String,
}

impl<C: Expression> Expression for Among<C> {
    type SqlType = Bool;
}

impl<C: ValidGrouping<G>, G> ValidGrouping<G> for Among<C> {
    type IsAggregate = C::IsAggregate;
}

impl<C: SelectableExpression<S>, S> SelectableExpression<S> for Among<C> {}

impl<C: AppearsOnTable<S>, S> AppearsOnTable<S> for Among<C> {}

impl<C: QueryFragment<Db>> QueryFragment<Db> for Among<C> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        let postgres = matches!(pass.backend(), Db::Pg(_));
        self.column.walk_ast(pass.reborrow())?;
        if postgres {
            pass.push_sql(
                " = ANY (ARRAY(SELECT CAST(made AS bigint) FROM jsonb_array_elements_text(CAST(",
            );
            pass.push_bind_param::<Text, _>(&self.json)?;
            pass.push_sql(" AS jsonb)) AS made))");
        } else {
            pass.push_sql(" IN (SELECT value FROM json_each(");
            pass.push_bind_param::<Text, _>(&self.json)?;
            pass.push_sql("))");
        }
        Ok(())
    }
}

/// The SQL type of a column, as a row written as JSON is read back into it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Bool,
    Int,
    Big,
    Text,
}

/// A row that is written with others of its table by one statement. It serializes as an object of its columns.
pub(crate) trait Written: Serialize + 'static {
    const TABLE: &'static str;
    const COLUMNS: &'static [(&'static str, Kind)];
}

/// A row that stands already, written back if its `status` is what it was; whatever it is where none is named.
#[derive(Serialize)]
pub(crate) struct Guarded<R> {
    pub was: Option<&'static str>,
    #[serde(flatten)]
    pub row: R,
}

/// Rows of one table as JSON text, inserted by one statement that both engines prepare once: PostgreSQL reads them with
/// `jsonb_to_recordset`, SQLite with `json_each`.
pub(crate) struct InsertRows<R> {
    json: String,
    rows: PhantomData<R>,
}

impl<R: Written> InsertRows<R> {
    pub(crate) fn of(rows: &[R]) -> serde_json::Result<Self> {
        Ok(InsertRows {
            json: serde_json::to_string(rows)?,
            rows: PhantomData,
        })
    }
}

impl<R: Written> QueryId for InsertRows<R> {
    type QueryId = InsertRows<R>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<R: Written> QueryFragment<Db> for InsertRows<R> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        let postgres = matches!(pass.backend(), Db::Pg(_));
        let columns = |pass: &mut AstPass<'_, 'b, Db>, each: &dyn Fn(&str, Kind) -> String| {
            for (place, (name, kind)) in R::COLUMNS.iter().enumerate() {
                pass.push_sql(if place == 0 { "" } else { ", " });
                pass.push_sql(&each(name, *kind));
            }
        };
        pass.push_sql("INSERT INTO ");
        pass.push_sql(R::TABLE);
        pass.push_sql(" (");
        columns(&mut pass, &|name, _| name.to_owned());
        pass.push_sql(") SELECT ");
        if postgres {
            columns(&mut pass, &|name, _| name.to_owned());
            pass.push_sql(" FROM jsonb_to_recordset(CAST(");
            pass.push_bind_param::<Text, _>(&self.json)?;
            pass.push_sql(" AS jsonb)) AS made (");
            columns(&mut pass, &|name, kind| format!("{name} {}", kind.word()));
            pass.push_sql(")");
        } else {
            columns(&mut pass, &|name, _| format!("value ->> '$.{name}'"));
            pass.push_sql(" FROM json_each(");
            pass.push_bind_param::<Text, _>(&self.json)?;
            pass.push_sql(")");
        }
        Ok(())
    }
}

impl<R> RunQueryDsl<Conn> for InsertRows<R> {}

/// Rows of one table as JSON text, written back by one statement, each found by its `id`.
pub(crate) struct UpdateRows<R> {
    json: String,
    guarded: bool,
    rows: PhantomData<R>,
}

impl<R: Written> UpdateRows<R> {
    pub(crate) fn of(rows: &[Guarded<R>]) -> serde_json::Result<Self> {
        Ok(UpdateRows {
            json: serde_json::to_string(rows)?,
            guarded: rows.iter().any(|row| row.was.is_some()) && stands(Guard::State),
            rows: PhantomData,
        })
    }
}

impl<R> QueryId for UpdateRows<R> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<R: Written> QueryFragment<Db> for UpdateRows<R> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        let postgres = matches!(pass.backend(), Db::Pg(_));
        let made = |name: &str| match postgres {
            true => format!("made.{name}"),
            false => format!("made.value ->> '$.{name}'"),
        };
        pass.push_sql("UPDATE ");
        pass.push_sql(R::TABLE);
        let own = R::COLUMNS.iter().filter(|(name, _)| *name != "id");
        for (place, (name, _)) in own.enumerate() {
            let before = if place == 0 { " SET" } else { "," };
            pass.push_sql(&format!("{before} {name} = {}", made(name)));
        }
        pass.push_sql(if postgres {
            " FROM jsonb_to_recordset(CAST("
        } else {
            " FROM json_each("
        });
        pass.push_bind_param::<Text, _>(&self.json)?;
        if postgres {
            pass.push_sql(" AS jsonb)) AS made (was text");
            for (name, kind) in R::COLUMNS {
                pass.push_sql(&format!(", {name} {}", kind.word()));
            }
            pass.push_sql(")");
        } else {
            pass.push_sql(") AS made");
        }
        pass.push_sql(&format!(" WHERE {}.id = {}", R::TABLE, made("id")));
        if postgres {
            // See `among`.
            pass.push_sql(&format!(" AND {}.id = ANY (ARRAY(", R::TABLE));
            pass.push_sql("SELECT CAST(one ->> 'id' AS bigint) FROM jsonb_array_elements(CAST(");
            pass.push_bind_param::<Text, _>(&self.json)?;
            pass.push_sql(" AS jsonb)) AS one))");
        }
        if self.guarded {
            pass.push_sql(&format!(" AND {}.status = {}", R::TABLE, made("was")));
        }
        Ok(())
    }
}

impl<R> RunQueryDsl<Conn> for UpdateRows<R> {}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Bool => "boolean",
            Kind::Int => "integer",
            Kind::Big => "bigint",
            Kind::Text => "text",
        }
    }
}
