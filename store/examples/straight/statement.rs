//! A statement that each connection prepares once.

use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use diesel::{QueryResult, RunQueryDsl};
use serde_json::Value;
use store::{Conn, Db};

/// What stands in place of a `?`.
#[derive(Clone)]
pub enum Bind {
    Number(i64),
    Truth(bool),
    Text(String),
    Nothing,
}

impl From<&Value> for Bind {
    fn from(value: &Value) -> Bind {
        match value {
            Value::Number(number) => Bind::Number(number.as_i64().unwrap_or_default()),
            Value::Bool(truth) => Bind::Truth(*truth),
            Value::String(text) => Bind::Text(text.clone()),
            _ => Bind::Nothing,
        }
    }
}

/// A text with a `?` for each value. Statements of one `N` have one text, and are prepared once.
struct Statement<'a, const N: usize> {
    text: &'a str,
    binds: &'a [Bind],
}

impl<const N: usize> QueryId for Statement<'_, N> {
    type QueryId = Statement<'static, N>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

/// What the statement gives that takes numbers from a tournament: form and journal.
impl<const N: usize> Query for Statement<'_, N> {
    type SqlType = (BigInt, BigInt);
}

impl<const N: usize> RunQueryDsl<Conn> for Statement<'_, N> {}

impl<const N: usize> QueryFragment<Db> for Statement<'_, N> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        let mut texts = self.text.split('?');
        pass.push_sql(texts.next().unwrap_or_default());
        for (bind, text) in self.binds.iter().zip(texts) {
            match bind {
                Bind::Number(number) => pass.push_bind_param::<BigInt, _>(number)?,
                Bind::Truth(truth) => pass.push_bind_param::<Bool, _>(truth)?,
                Bind::Text(text) => pass.push_bind_param::<Text, _>(text)?,
                Bind::Nothing => pass.push_bind_param::<Nullable<Text>, _>(&None::<String>)?,
            }
            pass.push_sql(text);
        }
        Ok(())
    }
}

/// Runs the statement that is known by a place; whoever gives another text another place has each prepared once.
pub fn execute(conn: &mut Conn, place: usize, text: &str, binds: &[Bind]) -> QueryResult<usize> {
    match place {
        0 => Statement::<0> { text, binds }.execute(conn),
        1 => Statement::<1> { text, binds }.execute(conn),
        2 => Statement::<2> { text, binds }.execute(conn),
        3 => Statement::<3> { text, binds }.execute(conn),
        4 => Statement::<4> { text, binds }.execute(conn),
        _ => Statement::<5> { text, binds }.execute(conn),
    }
}

/// Runs the statement that takes the next form and journal number.
pub fn numbers(conn: &mut Conn, text: &str, binds: &[Bind]) -> QueryResult<(i64, i64)> {
    Statement::<6> { text, binds }.get_result(conn)
}
