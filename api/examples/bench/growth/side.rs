//! One of the two services, and one who asks it.

use domain::{Clock, IdSource, OrderId};
use proto::registration::v1::GetJournalRequest;
use proto::registration::v1::desk_service_client::DeskServiceClient;
use registration::Secret;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};

use super::ask::Ask;
use super::fill::{FULL, LARGE};
use crate::home::Home;
use crate::http::{self, Connection};
use crate::payer;
use crate::process::Service;
use crate::{Result, question};

/// Orders that are looked up again and again.
const SAMPLE: usize = 200;
/// The first order that is registered while this is measured.
const FIRST: u64 = 1_000_000;

/// A service and a client of it, who is also its back office.
pub struct Side {
    pub service: Service,
    connection: Connection,
    office: DeskServiceClient<Channel>,
    staff: String,
    metadata: MetadataValue<Ascii>,
    secret: Secret,
    orders: Vec<OrderId>,
    waiting: Vec<OrderId>,
    /// The last row of the journal.
    last: u32,
    next: u64,
}

impl Side {
    /// Serves a home.
    pub async fn open(home: &Home, staff: &str) -> Result<Side> {
        let service = home.serve()?;
        let endpoint = Endpoint::from_shared(format!("http://{}", service.grpc))?;
        let shown = staff.trim_start_matches("authorization: ").trim();
        let mut side = Side {
            connection: Connection::open(service.rest).await?,
            office: DeskServiceClient::new(endpoint.connect().await?),
            service,
            staff: staff.to_owned(),
            metadata: shown.parse()?,
            secret: home.secret()?,
            orders: Vec::new(),
            waiting: Vec::new(),
            last: 0,
            next: FIRST,
        };
        side.look_around().await?;
        Ok(side)
    }

    /// Finds what will be asked for: orders from anywhere, the end of the journal, and somebody who waits.
    async fn look_around(&mut self) -> Result {
        self.orders = self.anywhere(LARGE, |_| true).await?;
        self.waiting = self.anywhere(FULL, |status| status == "waitlisted").await?;
        let mut beyond = u32::MAX;
        while self.last + 1 < beyond {
            let middle = self.last + (beyond - self.last) / 2;
            match self.has_journal_after(middle - 1).await? {
                true => self.last = middle,
                false => beyond = middle,
            }
        }
        Ok(())
    }

    /// Orders of a tournament from anywhere in its time, in a wanted state.
    async fn anywhere(
        &mut self,
        tournament: &str,
        wanted: fn(&str) -> bool,
    ) -> Result<Vec<OrderId>> {
        let path = format!("/v1/staff/tournaments/{tournament}/orders?limit=1&after=");
        let from_first = self.get(&format!("{path}{}", OrderId(0))).await?;
        let OrderId(first) = payer::text(&from_first["orders"][0], "order").parse()?;
        let now = api::clock::MachineClock::default().wall();
        let now = IdSource::default().next(now, 0);
        let mut found = Vec::new();
        while found.len() < SAMPLE {
            let after = OrderId(rand::random_range(first - 1..now));
            let said = self.get(&format!("{path}{after}")).await?;
            let order = &said["orders"][0];
            if order["status"].as_str().is_some_and(wanted) {
                found.push(payer::text(order, "order").parse()?);
            }
        }
        Ok(found)
    }

    async fn has_journal_after(&mut self, number: u32) -> Result<bool> {
        let path = format!("/v1/staff/tournaments/{LARGE}/journal?limit=1&after={number}");
        Ok(self.get(&path).await?["rows"][0].is_object())
    }

    async fn get(&mut self, path: &str) -> Result<serde_json::Value> {
        let request = http::get(path, &self.staff);
        self.connection.ask(&request).await?.json(200)
    }

    async fn register(&mut self, tournament: &str) -> Result<serde_json::Value> {
        self.next += 1;
        let path = format!("/v1/tournaments/{tournament}/orders");
        let key = payer::key("growth", self.next);
        let request = http::post(&path, &key, &question::order(self.next));
        self.connection.ask(&request).await?.json(201)
    }

    /// Asks for one thing; anything but the answer that is expected is an error.
    pub async fn ask(&mut self, ask: Ask, turn: u64) -> Result {
        let journal = |after: u32| format!("/v1/staff/tournaments/{LARGE}/journal?after={after}");
        let place = usize::try_from(turn)? % SAMPLE;
        let order = self.orders[place];
        let anywhere = rand::random_range(0..self.last);
        let path = match ask {
            Ask::Register => return self.register(LARGE).await.map(drop),
            Ask::RegisterWaiting => return self.register(FULL).await.map(drop),
            Ask::JournalOverGrpc => return self.journal_over_grpc(anywhere).await,
            Ask::Order => return self.look_up_order(order).await,
            Ask::WaitingOrder => return self.look_up_order(self.waiting[place]).await,
            Ask::FirstPage => format!("/v1/staff/tournaments/{LARGE}/orders"),
            Ask::DeepPage => format!("/v1/staff/tournaments/{LARGE}/orders?after={order}"),
            Ask::JournalBegin => journal(0),
            Ask::JournalMiddle => journal(anywhere),
            Ask::JournalEnd => journal(self.last - 100),
            Ask::BackOffice => format!("/v1/staff/tournaments/{LARGE}/back-office"),
            Ask::Metrics => "/metrics".to_owned(),
        };
        let head = self.staff.clone();
        self.look_up(&path, &head).await
    }

    async fn look_up_order(&mut self, order: OrderId) -> Result {
        let head = http::bearer(&self.secret.order_token(order, 1));
        self.look_up(&format!("/v1/orders/{order}"), &head).await
    }

    async fn look_up(&mut self, path: &str, head: &str) -> Result {
        let answer = self.connection.ask(&http::get(path, head)).await?;
        match answer.status {
            200 => Ok(()),
            _ => answer.json(200).map(drop),
        }
    }

    async fn journal_over_grpc(&mut self, after: u32) -> Result {
        let mut request = tonic::Request::new(GetJournalRequest {
            tournament: LARGE.to_owned(),
            after: i64::from(after),
            page_size: 100,
        });
        let metadata = request.metadata_mut();
        metadata.insert("authorization", self.metadata.clone());
        self.office.get_journal(request).await?;
        Ok(())
    }
}
