//! A mail server that takes everything and keeps nothing, for whatever the service has to tell.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::Result;

/// It ends when this is dropped.
pub struct Mailbox {
    address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Mailbox {
    /// Serves on a free port.
    pub fn open() -> Result<Mailbox> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        Ok(Mailbox {
            address: listener.local_addr()?,
            serving: tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(take(stream));
                }
            }),
        })
    }

    /// Its address, as the settings take it.
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Says yes to every command (RFC 5321) until the other side goes.
async fn take(stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    let (mut line, mut in_letter) = (Vec::new(), false);
    write.write_all(b"220 taken\r\n").await?;
    while read.read_until(b'\n', &mut line).await? > 0 {
        let said = line.to_ascii_uppercase();
        let answer: &[u8] = match (in_letter, said.as_slice()) {
            (true, b".\r\n") => b"250 taken\r\n",
            (true, _) => b"",
            (false, b"DATA\r\n") => b"354 go on\r\n",
            (false, b"QUIT\r\n") => b"221 bye\r\n",
            (false, _) => b"250 yes\r\n",
        };
        in_letter = matches!(answer, b"354 go on\r\n" | b"");
        write.write_all(answer).await?;
        line.clear();
    }
    Ok(())
}
