//! Orders and the people who pay them.

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use domain::{
    Currency, Instants, Language, OrderId, OrderReference, PaymentStatus, Quote, Standing,
    TournamentId, UtcTime,
};
use serde::{Deserialize, Serialize};

use crate::dialect::Kind::{self, Big, Int, Text};
use crate::dialect::{Written, among, columns};
use crate::error::{StoreError, stored};
use crate::schema::{contacts, entries, orders, payments};
use crate::{Conn, Db};

/// What one payer pays at once. Amounts are minor units of `currency`.
#[derive(Clone, PartialEq, Debug)]
pub struct Order {
    /// Which one.
    pub id: OrderId,
    /// Of which tournament.
    pub tournament: TournamentId,
    /// What the payer reads aloud.
    pub reference: OrderReference,
    /// Currency of every amount of the order.
    pub currency: Currency,
    /// What its live entries cost.
    pub total: i64,
    /// What came in and was credited to it.
    pub paid: i64,
    /// Refunds that are reserved, sent, owed or made; a failed one is owed still.
    pub refunded: i64,
    /// What the organiser keeps of refunded fees.
    pub kept: i64,
    /// The version of the regulation that it was priced under.
    pub version: i32,
    /// The priced lines, without the facts' values.
    pub quote: Quote,
    /// What stood already and mattered for the price; without the people's facts.
    pub standing: Vec<StandingRef>,
    /// The instant of the form.
    pub priced_at: UtcTime,
    /// Until when the seats are kept unpaid.
    pub hold_until: Option<UtcTime>,
    /// Attempts to pay so far.
    pub attempts: i32,
    /// Generation of the secret link.
    pub token_generation: i32,
    /// When it came in, by the desk clock.
    pub created_at: UtcTime,
    /// The instant of payment that its prices go by; that of the form where there is none.
    pub paid_as_of: Option<UtcTime>,
    /// The instant of the money's arrival that its prices go by; that of payment where there is none.
    pub received_as_of: Option<UtcTime>,
    /// When it is to be priced anew if it is not paid by then.
    pub reprice_at: Option<UtcTime>,
}

impl Order {
    /// The instants that its prices go by.
    #[must_use]
    pub fn instants(&self) -> Instants {
        Instants::of(self.priced_at, self.paid_as_of, self.received_as_of)
    }
}

/// A standing entry as a quote read it; its facts are the entrant's own row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StandingRef {
    /// Which entry.
    pub entry: domain::EntryId,
    /// Its section then.
    pub section: Option<domain::SectionId>,
    /// Its price then.
    pub price: i64,
    /// The currency of that; none for the first of the regulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The promotions that it served then.
    pub promotions: Vec<String>,
}

impl From<&Standing> for StandingRef {
    fn from(standing: &Standing) -> Self {
        StandingRef {
            entry: standing.entry,
            section: standing.section.clone(),
            price: standing.price,
            currency: standing.currency,
            promotions: standing.promotions.clone(),
        }
    }
}

#[derive(Queryable, Selectable, Serialize)]
#[diesel(table_name = orders, check_for_backend(Db))]
pub(crate) struct Row {
    pub id: i64,
    tournament_id: String,
    reference: String,
    currency: String,
    total: i64,
    paid: i64,
    refunded: i64,
    kept: i64,
    version: i32,
    quote: String,
    standing: String,
    priced_at: i64,
    hold_until: Option<i64>,
    attempts: i32,
    token_generation: i32,
    created_at: i64,
    paid_as_of: Option<i64>,
    received_as_of: Option<i64>,
    reprice_at: Option<i64>,
}

impl TryFrom<Row> for Order {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Order {
            id: OrderId(row.id),
            tournament: stored("orders.tournament_id", row.tournament_id.parse())?,
            reference: stored("orders.reference", row.reference.parse())?,
            currency: stored("orders.currency", row.currency.parse())?,
            total: row.total,
            paid: row.paid,
            refunded: row.refunded,
            kept: row.kept,
            version: row.version,
            quote: stored("orders.quote", serde_json::from_str(&row.quote))?,
            standing: stored("orders.standing", serde_json::from_str(&row.standing))?,
            priced_at: UtcTime::from_micros(row.priced_at),
            hold_until: row.hold_until.map(UtcTime::from_micros),
            attempts: row.attempts,
            token_generation: row.token_generation,
            created_at: UtcTime::from_micros(row.created_at),
            paid_as_of: row.paid_as_of.map(UtcTime::from_micros),
            received_as_of: row.received_as_of.map(UtcTime::from_micros),
            reprice_at: row.reprice_at.map(UtcTime::from_micros),
        })
    }
}

impl TryFrom<&Order> for Row {
    type Error = StoreError;

    fn try_from(order: &Order) -> Result<Self, StoreError> {
        Ok(Row {
            id: order.id.0,
            tournament_id: order.tournament.to_string(),
            reference: order.reference.to_string(),
            currency: order.currency.to_string(),
            total: order.total,
            paid: order.paid,
            refunded: order.refunded,
            kept: order.kept,
            version: order.version,
            quote: stored("orders.quote", serde_json::to_string(&order.quote))?,
            standing: stored("orders.standing", serde_json::to_string(&order.standing))?,
            priced_at: order.priced_at.as_micros(),
            hold_until: order.hold_until.map(UtcTime::as_micros),
            attempts: order.attempts,
            token_generation: order.token_generation,
            created_at: order.created_at.as_micros(),
            paid_as_of: order.paid_as_of.map(UtcTime::as_micros),
            received_as_of: order.received_as_of.map(UtcTime::as_micros),
            reprice_at: order.reprice_at.map(UtcTime::as_micros),
        })
    }
}

impl Written for Row {
    const TABLE: &'static str = "orders";
    const COLUMNS: &'static [(&'static str, Kind)] = &[
        ("id", Big),
        ("tournament_id", Text),
        ("reference", Text),
        ("currency", Text),
        ("total", Big),
        ("paid", Big),
        ("refunded", Big),
        ("kept", Big),
        ("version", Int),
        ("quote", Text),
        ("standing", Text),
        ("priced_at", Big),
        ("hold_until", Big),
        ("attempts", Int),
        ("token_generation", Int),
        ("created_at", Big),
        ("paid_as_of", Big),
        ("received_as_of", Big),
        ("reprice_at", Big),
    ];
}

/// One order, if there is such.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find(c: &mut Conn, id: OrderId) -> Result<Option<Order>, StoreError> {
    let row = orders::table
        .find(id.0)
        .select(columns::<Row>())
        .first::<Row>(c)
        .optional()?;
    row.map(Order::try_from).transpose()
}

/// Those of these orders that there are.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub(crate) fn find_all(c: &mut Conn, ids: &[OrderId]) -> Result<Vec<Order>, StoreError> {
    let rows = orders::table
        .filter(among(orders::id, ids.iter().map(|order| order.0)))
        .select(columns::<Row>())
        .load::<Row>(c)?;
    rows.into_iter().map(Order::try_from).collect()
}

/// The order of a payer's reference, if there is such.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find_by_reference(
    c: &mut Conn,
    reference: &OrderReference,
) -> Result<Option<OrderId>, StoreError> {
    let id: Option<i64> = orders::table
        .filter(orders::reference.eq(reference.as_str()))
        .select(orders::id)
        .first(c)
        .optional()?;
    Ok(id.map(OrderId))
}

/// Orders of a tournament after an id, at most `limit`, in the order they came.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn page(
    c: &mut Conn,
    tournament: &TournamentId,
    after: Option<OrderId>,
    limit: i64,
) -> Result<Vec<Order>, StoreError> {
    let rows = orders::table
        .filter(
            orders::tournament_id
                .eq(tournament.as_str())
                .and(orders::id.gt(after.map_or(i64::MIN, |o| o.0))),
        )
        .order(orders::id)
        .limit(limit)
        .select(columns::<Row>())
        .load::<Row>(c)?;
    rows.into_iter().map(Order::try_from).collect()
}

/// Orders whose hold has run out at this instant by the desk clock of their tournament, oldest hold first; none
/// whose slip is being checked, however many these are.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn holds_run_out(
    c: &mut Conn,
    tournament: &TournamentId,
    at: UtcTime,
    limit: i64,
) -> Result<Vec<OrderId>, StoreError> {
    let ids: Vec<i64> = orders::table
        .filter(
            orders::tournament_id
                .eq(tournament.as_str())
                .and(orders::hold_until.le(at.as_micros())),
        )
        .filter(not(exists(slips_in_check())))
        .order(orders::hold_until)
        .limit(limit)
        .select(orders::id)
        .load(c)?;
    Ok(ids.into_iter().map(OrderId).collect())
}

/// Orders to be priced anew at this instant by the desk clock of their tournament, the longest due first; none
/// whose slip is being checked.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn to_reprice(
    c: &mut Conn,
    tournament: &TournamentId,
    at: UtcTime,
    limit: i64,
) -> Result<Vec<OrderId>, StoreError> {
    let ids: Vec<i64> = orders::table
        .filter(
            orders::tournament_id
                .eq(tournament.as_str())
                .and(orders::reprice_at.le(at.as_micros())),
        )
        .filter(not(exists(slips_in_check())))
        .order(orders::reprice_at)
        .limit(limit)
        .select(orders::id)
        .load(c)?;
    Ok(ids.into_iter().map(OrderId).collect())
}

/// Lets every order that has a live entry of a group be priced anew from this instant on.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn reprice_group(
    c: &mut Conn,
    tournament: &TournamentId,
    institution: &str,
    at: UtcTime,
) -> Result<usize, StoreError> {
    let of_group = entries::table
        .filter(entries::tournament_id.eq(tournament.as_str()))
        .filter(entries::institution.eq(institution))
        .filter(entries::status.eq_any(crate::entries::live()))
        .select(entries::order_id);
    Ok(
        diesel::update(orders::table.filter(orders::id.eq_any(of_group)))
            .set(orders::reprice_at.eq(at.as_micros()))
            .execute(c)?,
    )
}

/// Slips and transfers of the order in the outer query that staff have neither confirmed nor refused.
#[diesel::dsl::auto_type]
fn slips_in_check() -> _ {
    let processing: &'static str = PaymentStatus::Processing.as_str();
    payments::table
        .filter(payments::order_id.eq(orders::id))
        .filter(payments::account.eq("desk"))
        .filter(payments::status.eq(processing))
}

/// The payer. Blanked columns come back empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contact {
    /// Name; for a minor the guardian's.
    pub name: Option<String>,
    /// Address for mail.
    pub email: Option<String>,
    /// Postal address, where the organiser asks for it.
    pub address: Option<String>,
    /// The language of mails.
    pub language: Language,
    /// Consents given, by their id in the regulation.
    pub consents: Vec<String>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = contacts, check_for_backend(Db))]
struct ContactRow {
    name: Option<String>,
    email: Option<String>,
    address: Option<String>,
    language: String,
    consents: String,
}

/// The payer of a new order, to be written.
#[derive(Serialize)]
pub(crate) struct NewContact {
    order_id: i64,
    tournament_id: String,
    name: Option<String>,
    email: Option<String>,
    address: Option<String>,
    language: &'static str,
    consents: String,
}

impl NewContact {
    pub(crate) fn of(order: &Order, contact: Contact) -> Result<NewContact, StoreError> {
        Ok(NewContact {
            order_id: order.id.0,
            tournament_id: order.tournament.to_string(),
            name: contact.name,
            email: contact.email,
            address: contact.address,
            language: contact.language.code(),
            consents: stored(
                "contacts.consents",
                serde_json::to_string(&contact.consents),
            )?,
        })
    }
}

impl Written for NewContact {
    const TABLE: &'static str = "contacts";
    const COLUMNS: &'static [(&'static str, Kind)] = &[
        ("order_id", Big),
        ("tournament_id", Text),
        ("name", Text),
        ("email", Text),
        ("address", Text),
        ("language", Text),
        ("consents", Text),
    ];
}

/// The payer of an order.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn contact(c: &mut Conn, order: OrderId) -> Result<Option<Contact>, StoreError> {
    let row = contacts::table
        .find(order.0)
        .select(columns::<ContactRow>())
        .first::<ContactRow>(c)
        .optional()?;
    row.map(|row| {
        Ok(Contact {
            name: row.name,
            email: row.email,
            address: row.address,
            language: row.language.parse().unwrap_or_default(),
            consents: stored("contacts.consents", serde_json::from_str(&row.consents))?,
        })
    })
    .transpose()
}
