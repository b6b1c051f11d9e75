//! A client of HTTP/1.1 that does next to nothing: one connection, kept alive, one request at a time.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A server closes what is idle for five seconds.
const IDLE: Duration = Duration::from_secs(4);

/// A connection that stays open; one that was left alone for long is opened anew.
pub struct Connection {
    address: SocketAddr,
    stream: TcpStream,
    used: Instant,
    read: Vec<u8>,
}

/// An answer, as long as the next is not asked for.
pub struct Answer<'c> {
    /// Its status.
    pub status: u16,
    /// Its body.
    pub body: &'c [u8],
    head: &'c [u8],
}

impl Answer<'_> {
    /// A line of its head, by its name in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        let head = str::from_utf8(self.head).ok()?;
        lines(head).find_map(|(known, value)| known.eq_ignore_ascii_case(name).then_some(value))
    }

    /// After how many seconds to come back, where the service is too busy now.
    pub fn come_back(&self) -> crate::Result<u64> {
        match self.header("retry-after") {
            Some(seconds) if self.status == 503 => Ok(seconds.parse()?),
            _ => Err(self.unexpected()),
        }
    }

    /// Its body as JSON, where the status is the one expected.
    pub fn json(&self, status: u16) -> crate::Result<serde_json::Value> {
        if self.status == status {
            return Ok(serde_json::from_slice(self.body)?);
        }
        Err(self.unexpected())
    }

    fn unexpected(&self) -> Box<dyn std::error::Error + Send + Sync> {
        let said = String::from_utf8_lossy(self.body);
        format!("status {}: {said}", self.status).into()
    }
}

fn lines(head: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = head.split("\r\n").skip(1);
    lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name, value.trim()))
}

/// The bytes of a POST of JSON.
pub fn post(path: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}

/// The bytes of a POST of a form.
pub fn form(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// The line of the head that shows a key or a token.
pub fn bearer(token: &str) -> String {
    format!("authorization: Bearer {token}\r\n")
}

/// The bytes of a GET.
pub fn get(path: &str, headers: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n").into_bytes()
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> io::Result<Connection> {
        Ok(Connection {
            address,
            stream: connect(address).await?,
            used: Instant::now(),
            read: Vec::with_capacity(4_096),
        })
    }

    /// Sends a request and reads its answer to the end.
    pub async fn ask(&mut self, request: &[u8]) -> io::Result<Answer<'_>> {
        if self.used.elapsed() > IDLE {
            self.stream = connect(self.address).await?;
        }
        self.stream.write_all(request).await?;
        self.read.clear();
        let (status, begin, end) = loop {
            self.more().await?;
            if let Some(head) = head(&self.read)? {
                break head;
            }
        };
        while self.read.len() < end {
            self.more().await?;
        }
        self.used = Instant::now();
        Ok(Answer {
            status,
            head: &self.read[..begin],
            body: &self.read[begin..end],
        })
    }

    async fn more(&mut self) -> io::Result<()> {
        match self.stream.read_buf(&mut self.read).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

async fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Status of an answer, and where its body begins and ends; nothing while its head has not come whole.
fn head(read: &[u8]) -> io::Result<Option<(u16, usize, usize)>> {
    let Some(blank) = read.windows(4).position(|bytes| bytes == b"\r\n\r\n") else {
        return Ok(None);
    };
    let strange = || io::Error::new(io::ErrorKind::InvalidData, "an answer without its length");
    let text = str::from_utf8(&read[..blank]).map_err(|_| strange())?;
    let status = text.split(' ').nth(1);
    let status = status
        .and_then(|code| code.parse().ok())
        .ok_or_else(strange)?;
    let length = lines(text)
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.parse::<usize>().ok())
        .ok_or_else(strange)?;
    Ok(Some((status, blank + 4, blank + 4 + length)))
}
