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
use crate::payer::{self, Ticket};
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
    waiting: Ticket,
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
            waiting: Ticket::default(),
            last: 0,
            next: FIRST,
        };
        side.look_around().await?;
        Ok(side)
    }

    /// Finds what will be asked for: orders from anywhere, the end of the journal, and somebody who waits.
    async fn look_around(&mut self) -> Result {
        let OrderId(first) = self.order_after(OrderId(0)).await?.ok_or("no order")?;
        let now = api::clock::MachineClock::default().wall();
        let now = IdSource::default().next(now, 0);
        while self.orders.len() < SAMPLE {
            let after = OrderId(rand::random_range(first - 1..now));
            let found = self.order_after(after).await?;
            self.orders.extend(found);
        }
        let mut beyond = u32::MAX;
        while self.last + 1 < beyond {
            let middle = self.last + (beyond - self.last) / 2;
            match self.has_journal_after(middle - 1).await? {
                true => self.last = middle,
                false => beyond = middle,
            }
        }
        let said = self.register(FULL).await?;
        self.waiting = Ticket::of(&said);
        Ok(())
    }

    async fn order_after(&mut self, after: OrderId) -> Result<Option<OrderId>> {
        let path = format!("/v1/staff/tournaments/{LARGE}/orders?limit=1&after={after}");
        let said = self.get(&path).await?;
        let order = said["orders"][0]["order"].as_str();
        Ok(order.map(str::parse).transpose()?)
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
        let order = self.orders[usize::try_from(turn)? % SAMPLE];
        let anywhere = rand::random_range(0..self.last);
        let path = match ask {
            Ask::Register => return self.register(LARGE).await.map(drop),
            Ask::RegisterWaiting => return self.register(FULL).await.map(drop),
            Ask::JournalOverGrpc => return self.journal_over_grpc(anywhere).await,
            Ask::Order => {
                let head = http::bearer(&self.secret.order_token(order, 1));
                return self.look_up(&format!("/v1/orders/{order}"), &head).await;
            }
            Ask::WaitingOrder => {
                let (path, head) = (self.waiting.order.clone(), self.waiting.bearer.clone());
                return self.look_up(&path, &head).await;
            }
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
