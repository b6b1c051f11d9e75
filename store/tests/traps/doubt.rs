//! A COMMIT whose answer is lost: a proxy between the store and PostgreSQL breaks the connection at it.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use store::testing::on_postgres;
use store::{Settings, Store};

use crate::batch::{change, make_tournament};

/// When the connection breaks.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Breaks {
    BeforeCommit,
    AfterCommit,
}

type Armed = Arc<Mutex<Option<Breaks>>>;

/// Forwards to a server; once armed, breaks the next connection that commits.
fn proxy(server: String) -> (String, Armed) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let armed = Armed::default();
    let arm = Arc::clone(&armed);
    thread::spawn(move || {
        for client in listener.incoming() {
            let (client, server) = (client.unwrap(), TcpStream::connect(&server).unwrap());
            let swallow = Arc::new(Mutex::new(false));
            let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let (arm, swallows) = (Arc::clone(&arm), Arc::clone(&swallow));
            thread::spawn(move || forward(from, to, |said| at_commit(said, &arm, &swallows)));
            thread::spawn(move || forward(server, client, |_| !*swallow.lock().unwrap()));
        }
    });
    (address, armed)
}

/// Whether what the client said is passed on.
fn at_commit(said: &[u8], armed: &Armed, swallow: &Mutex<bool>) -> bool {
    if !said.windows(7).any(|bytes| bytes == b"COMMIT\0") {
        return true;
    }
    match armed.lock().unwrap().take() {
        None => true,
        Some(Breaks::BeforeCommit) => false,
        Some(Breaks::AfterCommit) => {
            *swallow.lock().unwrap() = true;
            true
        }
    }
}

fn forward(mut from: TcpStream, mut to: TcpStream, passes: impl Fn(&[u8]) -> bool) {
    let mut buffer = [0; 65_536];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        if !passes(&buffer[..n]) || to.write_all(&buffer[..n]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// The server in a URL, and the same URL through another.
fn split(url: &str) -> (String, impl Fn(&str) -> String) {
    let (scheme, rest) = url.split_once("://").unwrap();
    let (authority, path) = rest.split_once('/').unwrap();
    let (user, server) = authority.rsplit_once('@').unwrap();
    let (scheme, user, path) = (scheme.to_owned(), user.to_owned(), path.to_owned());
    (server.to_owned(), move |other| {
        format!("{scheme}://{user}@{other}/{path}")
    })
}

#[test]
fn a_commit_whose_answer_is_lost_is_looked_up_and_not_repeated() {
    for (breaks, wanted) in [(Breaks::AfterCommit, 1), (Breaks::BeforeCommit, 2)] {
        on_postgres(|database| {
            let settings = database.settings();
            async move {
                let (server, through) = split(&settings.url);
                let (address, armed) = proxy(server);
                let url = through(&address);
                let store = Store::open(&Settings { url, ..settings }).unwrap();
                make_tournament(&store).await;
                *armed.lock().unwrap() = Some(breaks);
                let runs = Arc::new(AtomicU32::new(0));
                let counter = Arc::clone(&runs);
                let form = change(store.clone(), move |_| {
                    counter.fetch_add(1, Ordering::SeqCst);
                    Ok(())
                });
                assert_eq!(form.await.unwrap(), 1, "{breaks:?}");
                assert!(armed.lock().unwrap().is_none(), "nothing was broken");
                assert_eq!(runs.load(Ordering::SeqCst), wanted, "{breaks:?}");
                assert_eq!(change(store, |_| Ok(())).await.unwrap(), 2);
            }
        });
    }
}
