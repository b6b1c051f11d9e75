//! A mail server that takes everything and keeps the heads (RFC 5321, as much as a client needs).

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::Result;

/// A mail as it came, without its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mail {
    /// Whom it is for.
    pub to: String,
    /// What it is called.
    pub subject: String,
}

/// What came, by Message-ID, each time that it came.
#[derive(Clone, Default)]
pub struct Letterbox(Arc<Mutex<BTreeMap<String, Vec<Mail>>>>);

impl Letterbox {
    /// Listens on a free port of this machine.
    pub async fn open() -> Result<(Letterbox, SocketAddr)> {
        let letterbox = Letterbox::default();
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let keeper = letterbox.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let keeper = keeper.clone();
                tokio::spawn(async move { drop(keeper.talk(stream).await) });
            }
        });
        Ok((letterbox, address))
    }

    /// What came until now.
    pub fn mails(&self) -> BTreeMap<String, Vec<Mail>> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    async fn talk(&self, stream: TcpStream) -> std::io::Result<()> {
        let (input, mut output) = stream.into_split();
        let mut lines = BufReader::new(input).lines();
        output.write_all(b"220 chaos\r\n").await?;
        while let Some(line) = lines.next_line().await? {
            let verb = line.get(..4).unwrap_or_default().to_ascii_uppercase();
            let answer: &[u8] = match verb.as_str() {
                "EHLO" => b"250-chaos\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n",
                "DATA" => {
                    output.write_all(b"354 go on\r\n").await?;
                    let mut head = Vec::new();
                    let mut in_head = true;
                    loop {
                        let Some(line) = lines.next_line().await? else {
                            return Ok(());
                        };
                        if line == "." {
                            break;
                        }
                        in_head &= !line.is_empty();
                        if in_head {
                            head.push(line);
                        }
                    }
                    self.keep(&head);
                    b"250 taken\r\n"
                }
                "QUIT" => {
                    output.write_all(b"221 bye\r\n").await?;
                    return Ok(());
                }
                _ => b"250 well\r\n",
            };
            output.write_all(answer).await?;
        }
        Ok(())
    }

    fn keep(&self, head: &[String]) {
        let field = |name: &str| {
            let found = head.iter().find_map(|line| line.strip_prefix(name));
            found.unwrap_or_default().trim().to_owned()
        };
        let mail = Mail {
            to: field("To:"),
            subject: field("Subject:"),
        };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entry(field("Message-ID:")).or_default().push(mail);
    }
}
