use std::sync::{Arc, Mutex};

use domain::{Actor, ByePoints, ByeRequest, Cause, EntryId, Event, Status};
use notifier::{MailTransport, Notifier, PairingTarget, Progress, listen};
use proto::pairing::v1::pairing_inbox_service_server::{
    PairingInboxService, PairingInboxServiceServer,
};
use proto::pairing::v1::{
    PushRequest, PushResponse, WithdrawalCause, entrant_upserted::Entrant, push_request::Change,
};
use store::{Store, byes, entries};
use tokio::net::TcpListener;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status as Answer};

use crate::world::{World, tournament};

/// Pairing software: keeps what it is told, and answers for some entries otherwise.
#[derive(Clone, Default)]
struct Inbox {
    told: Arc<Mutex<Vec<PushRequest>>>,
    answers: Arc<Mutex<Vec<(EntryId, Answer)>>>,
}

impl Inbox {
    /// What was told since it was last asked.
    fn told(&self) -> Vec<PushRequest> {
        std::mem::take(&mut self.told.lock().unwrap())
    }

    fn answer(&self, entry: i64, answer: Answer) {
        self.answers.lock().unwrap().push((EntryId(entry), answer));
    }

    async fn serve(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let service = PairingInboxServiceServer::new(self.clone());
        tokio::spawn(
            tonic::transport::Server::builder()
                .add_service(service)
                .serve_with_incoming(TcpIncoming::from(listener)),
        );
        address
    }
}

#[tonic::async_trait]
impl PairingInboxService for Inbox {
    async fn push(&self, request: Request<PushRequest>) -> Result<Response<PushResponse>, Answer> {
        assert_eq!(
            request.metadata().get("authorization").unwrap(),
            "Bearer sesame"
        );
        let message = request.into_inner();
        let mut answers = self.answers.lock().unwrap();
        if let Some(place) = answers
            .iter()
            .position(|(e, _)| e.to_string() == message.entry)
        {
            return Err(answers.remove(place).1);
        }
        let sequence = message.sequence;
        self.told.lock().unwrap().push(message);
        Ok(Response::new(PushResponse { sequence }))
    }
}

/// Mail goes nowhere: nobody has an address.
fn notifier(world: &World, address: &str) -> Notifier {
    let nowhere = MailTransport::Folder("/nonexistent".into());
    let mut settings = world.settings(nowhere);
    let target = PairingTarget {
        address: address.to_owned(),
        key: Some("sesame".to_owned()),
    };
    settings.pairing.insert(tournament(), target);
    world.notifier(settings)
}

fn summary(told: &[PushRequest]) -> Vec<(i64, i64, &'static str)> {
    let what = |message: &PushRequest| match message.change {
        Some(Change::Upserted(_)) => "upserted",
        Some(Change::Withdrawn(_)) => "withdrawn",
        Some(Change::ByesRequested(_)) => "byes",
        None => "nothing",
    };
    told.iter()
        .map(|m| (m.sequence, m.form_number, what(m)))
        .collect()
}

store::both! {
    async fn who_plays_is_told_with_the_journals_numbers(store: Store) {
        let world = World::new(store).await;
        let inbox = Inbox::default();
        let notifier = notifier(&world, &inbox.serve().await);

        world.register(1, None, Status::Held).await;
        world.register(2, None, Status::Held).await;
        notifier.step().await.unwrap();
        assert_eq!(summary(&inbox.told()), [], "nobody plays yet");

        world.moved(1, Cause::Confirm, Vec::new()).await;
        world.moved(2, Cause::Expire, Vec::new()).await;
        notifier.step().await.unwrap();
        let told = inbox.told();
        assert_eq!(summary(&told), [(3, 1, "upserted")]);
        assert_eq!(told[0].tournament, "ciutat-2026");
        assert_eq!(told[0].section.as_deref(), Some("A"));
        let Some(Change::Upserted(upserted)) = &told[0].change else { panic!("{told:?}") };
        let Some(Entrant::Player(player)) = &upserted.entrant else { panic!("{told:?}") };
        assert_eq!((player.name.as_str(), player.birth_year, player.rating), ("Player 1", 1990, Some(2105)));

        world.change(Actor::Payer, 1, |change| {
            let mut entry = entries::find(change.conn()?, EntryId(1))?.unwrap();
            entry.section = Some("B".parse().unwrap());
            change.save_entry(&entry, Status::Confirmed)?;
            let bye = ByeRequest { round: 3, points: ByePoints::Half };
            let asked_at = "2026-07-01T10:00:00Z".parse().unwrap();
            byes::insert(change.conn()?, &tournament(), EntryId(1), bye, asked_at)?;
            Ok(Vec::new())
        }).await;
        let (entry, to) = (EntryId(1), "B".parse().unwrap());
        world.recorded(1, Event::SectionChanged { entry, from: None, to, price: 0, difference: 0 }).await;
        world.recorded(1, Event::ByesRequested { entry, byes: Vec::new() }).await;
        world.moved(1, Cause::Withdraw, Vec::new()).await;
        world.recorded(2, Event::FactChecked { entry: EntryId(2), fact: domain::FactName::Rating, upheld: true }).await;
        notifier.step().await.unwrap();
        let told = inbox.told();
        assert_eq!(summary(&told), [(7, 1, "withdrawn")], "what changed before it left is not told any more");
        let Some(Change::Withdrawn(withdrawn)) = &told[0].change else { panic!("{told:?}") };
        assert_eq!(withdrawn.cause(), WithdrawalCause::FieldFixed);

        assert_eq!(notifier.step().await.unwrap(), Progress::default());
    }

    async fn changes_of_who_plays_are_told_in_order(store: Store) {
        let world = World::new(store).await;
        let inbox = Inbox::default();
        let notifier = notifier(&world, &inbox.serve().await);
        world.register(1, None, Status::Confirmed).await;
        let (entry, to) = (EntryId(1), "B".parse().unwrap());
        world.recorded(1, Event::SectionChanged { entry, from: None, to, price: 0, difference: 0 }).await;
        world.recorded(1, Event::ByesRequested { entry, byes: Vec::new() }).await;
        world.recorded(1, Event::ByesDecided { entry, granted: true }).await;
        inbox.answer(1, Answer::unavailable("starting"));
        notifier.step().await.unwrap();
        assert_eq!(summary(&inbox.told()), [], "the first waits, and the others behind it");
        world.clock.forward(2);
        notifier.step().await.unwrap();
        let expected = [(1, 1, "upserted"), (2, 1, "upserted"), (3, 1, "byes"), (4, 1, "byes")];
        assert_eq!(summary(&inbox.told()), expected);
    }

    async fn a_message_that_is_refused_stops_nobody_else(store: Store) {
        let world = World::new(store).await;
        let inbox = Inbox::default();
        let notifier = notifier(&world, &inbox.serve().await);
        world.register(1, None, Status::Confirmed).await;
        world.register(2, None, Status::Confirmed).await;
        world.moved(1, Cause::CancelByOrganiser, Vec::new()).await;
        world.moved(2, Cause::CancelByPlayer, Vec::new()).await;
        inbox.answer(1, Answer::invalid_argument("who is that"));
        notifier.step().await.unwrap();
        let told = inbox.told();
        assert_eq!(summary(&told), [(4, 2, "withdrawn")]);
        let dead = world.dead().await;
        assert_eq!(dead.len(), 1);
        assert!(dead[0].0 == 1 && dead[0].1.contains("who is that"), "{dead:?}");
    }

    async fn a_service_that_comes_later_is_told_all(store: Store) {
        let world = World::new(store).await;
        world.register(1, None, Status::Confirmed).await;
        let nowhere = world.settings(MailTransport::Folder("/nonexistent".into()));
        world.notifier(nowhere).step().await.unwrap();
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", gone.local_addr().unwrap());
        drop(gone);
        let progress = notifier(&world, &address).step().await.unwrap();
        assert_eq!((progress.planned, progress.again), (1, 1), "nobody listens there yet");
        world.clock.forward(2);
        let inbox = Inbox::default();
        notifier(&world, &inbox.serve().await).step().await.unwrap();
        assert_eq!(summary(&inbox.told()), [(1, 1, "upserted")]);
    }

    async fn the_receiver_of_the_command_line_shows_each_message(store: Store) {
        let world = World::new(store).await;
        world.register(1, None, Status::Confirmed).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let lines: Arc<Mutex<Vec<String>>> = Arc::default();
        let sink = {
            let lines = Arc::clone(&lines);
            move |message: &PushRequest, kept| {
                assert_eq!(listen::json(message, kept)["sequence"], message.sequence);
                lines.lock().unwrap().push(listen::line(message, kept));
            }
        };
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let server = tokio::spawn(listen::serve(listener, sink, async { drop(stopped.await) }));
        notifier(&world, &address).step().await.unwrap();
        let shown = ["ciutat-2026 #1 no. 1 [A] plays: Player 1 (ESP, 2105)"];
        assert_eq!(*lines.lock().unwrap(), shown);
        stop.send(()).unwrap();
        server.await.unwrap().unwrap();
    }
}
