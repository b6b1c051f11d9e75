//! What other processes do while one looks or starts.

use std::sync::Mutex;
use std::thread;

use store::{Settings, Store};

use crate::world::{BARCELONA, LLOBREGAT, World, entry, id, order, payer, player};

store::both! {
    /// An order comes in while the audit reads another tournament.
    async fn an_audit_of_a_desk_at_work_finds_nothing(store: Store) {
        let world = World::open(store, 10).await;
        world.enter("Anna Alfil").await;
        let (desk, names) = (world.desk.clone(), Mutex::new(vec!["Berta Boi"]));
        let comes_in = |_, _| {
            let Some(name) = names.lock().unwrap().pop() else {
                return;
            };
            let desk = desk.clone();
            let registering = move || {
                let runtime = tokio::runtime::Runtime::new().unwrap();
                let command = order(LLOBREGAT, vec![entry(Some("A"), player(name))]);
                runtime.block_on(desk.register(&payer(), command)).unwrap();
            };
            thread::spawn(registering).join().unwrap();
        };
        let report = world.desk.audit(comes_in).await.unwrap();
        assert_eq!(report.findings, []);
        assert_eq!(report.orders, 2);
    }

    /// Nodes that start together on a fresh database all take the same regulations in.
    async fn nodes_start_together(settings: Settings) {
        let start = |settings: Settings| async move {
            World::new(Store::open(&settings).unwrap()).await
        };
        let nodes = [0; 4].map(|_| tokio::spawn(start(settings.clone())));
        for node in nodes {
            let world = node.await.unwrap();
            let rows = world.desk.journal(&id(BARCELONA), 0, 10).await.unwrap();
            assert_eq!(rows.len(), 1);
        }
    }
}
