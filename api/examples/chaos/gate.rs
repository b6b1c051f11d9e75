//! A door between two programs that can be shut: what stands behind it goes away and comes back at the same address.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::Result;

/// Passes connections on to whatever stands behind it.
#[derive(Clone)]
pub struct Gate(Arc<Inner>);

struct Inner {
    address: SocketAddr,
    targets: Mutex<Vec<SocketAddr>>,
    next: AtomicU32,
    shut: AtomicBool,
    /// Moved on to break every connection.
    cut: watch::Sender<u64>,
    /// Answers to COMMIT that are still to be lost.
    losing: AtomicU32,
    lost: AtomicU32,
}

impl Gate {
    /// Listens on a free port of this machine.
    pub async fn open(targets: Vec<SocketAddr>) -> Result<Gate> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let gate = Gate(Arc::new(Inner {
            address: listener.local_addr()?,
            targets: Mutex::new(targets),
            next: AtomicU32::new(0),
            shut: AtomicBool::new(false),
            cut: watch::channel(0).0,
            losing: AtomicU32::new(0),
            lost: AtomicU32::new(0),
        }));
        let keeper = gate.clone();
        tokio::spawn(async move {
            loop {
                match listener.accept().await {
                    // Closed at once: as near to "nobody listens" as a port that is kept can be.
                    Ok((stream, _)) if keeper.0.shut.load(Ordering::Relaxed) => drop(stream),
                    Ok((stream, _)) => drop(tokio::spawn(keeper.clone().pass(stream))),
                    Err(_) => tokio::task::yield_now().await,
                }
            }
        });
        Ok(gate)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.0.address
    }

    /// Lets nobody through any more and breaks who is in it.
    pub fn shut(&self) {
        self.0.shut.store(true, Ordering::Relaxed);
        self.cut();
    }

    /// Lets everybody through again.
    pub fn reopen(&self) {
        self.0.shut.store(false, Ordering::Relaxed);
    }

    /// Breaks every connection.
    pub fn cut(&self) {
        self.0.cut.send_modify(|times| *times += 1);
    }

    /// Of so many transactions from now on, the COMMIT goes through and its answer does not come back.
    pub fn lose_commits(&self, times: u32) {
        self.0.losing.store(times, Ordering::Relaxed);
    }

    /// How many answers to COMMIT were lost.
    pub fn lost_commits(&self) -> u32 {
        self.0.lost.load(Ordering::Relaxed)
    }

    fn target(&self) -> Option<SocketAddr> {
        let targets = self
            .0
            .targets
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let turn = self.0.next.fetch_add(1, Ordering::Relaxed) as usize;
        targets.get(turn % targets.len().max(1)).copied()
    }

    async fn pass(self, client: TcpStream) {
        let mut cut = self.0.cut.subscribe();
        let Some(target) = self.target() else { return };
        let Ok(server) = TcpStream::connect(target).await else {
            return;
        };
        let _eager = (client.set_nodelay(true), server.set_nodelay(true));
        tokio::select! {
            () = self.carry(client, server) => {}
            _ = cut.changed() => {}
        }
    }

    async fn carry(&self, client: TcpStream, server: TcpStream) {
        let (mut from_client, mut to_client) = client.into_split();
        let (mut from_server, mut to_server) = server.into_split();
        let there = async {
            let mut buffer = vec![0; 16 * 1024];
            while let Ok(read @ 1..) = from_client.read(&mut buffer).await {
                let bytes = &buffer[..read];
                let lose = is_commit(bytes) && self.takes_a_loss();
                if to_server.write_all(bytes).await.is_err() || lose {
                    break;
                }
            }
        };
        let back = async {
            let mut buffer = vec![0; 16 * 1024];
            while let Ok(read @ 1..) = from_server.read(&mut buffer).await {
                if to_client.write_all(&buffer[..read]).await.is_err() {
                    break;
                }
            }
        };
        tokio::select! {
            () = there => {}
            () = back => {}
        }
    }

    fn takes_a_loss(&self) -> bool {
        let less = |left: u32| left.checked_sub(1);
        let taken = self
            .0
            .losing
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        if taken.is_ok() {
            self.0.lost.fetch_add(1, Ordering::Relaxed);
        }
        taken.is_ok()
    }
}

/// Whether it is PostgreSQL's simple query `COMMIT`.
fn is_commit(bytes: &[u8]) -> bool {
    bytes.first() == Some(&b'Q') && bytes.get(5..).is_some_and(|text| text == b"COMMIT\0")
}
