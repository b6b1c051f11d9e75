//! HEAD: whatever may be looked at, without its body.

use reqwest::Method;
use store::Store;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::house::{BARCELONA, House};

/// What a server sends on a connection that it closes after one answer: its head and its body.
async fn raw(house: &House, method: &str, path: &str, bearer: &str) -> (Vec<String>, Vec<u8>) {
    let host = house.base.strip_prefix("http://").unwrap();
    let mut connection = TcpStream::connect(host).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {bearer}\r\nx-request-id: same-for-both\r\n\
         connection: close\r\n\r\n"
    );
    connection.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).await.unwrap();
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    // The answers are of two instants: what they say may be a digit longer.
    let of_both = |line: &str| {
        let name = line.split(':').next().unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            name.to_owned()
        } else {
            line.to_owned()
        }
    };
    let lines = head
        .lines()
        .map(of_both)
        .map(|line| line.to_ascii_lowercase());
    let mut lines: Vec<String> = lines.filter(|line| !line.starts_with("date:")).collect();
    lines[1..].sort();
    (lines, answer[end + 4..].to_vec())
}

store::both! {
    async fn head_is_answered_as_get_without_the_body(store: Store) {
        let house = House::open(store, 300).await;
        let (order, token, _) = house.register("Perez, Ana").await;
        let admin = house.key(api::auth::Role::Admin).await;
        let document = house.get("/v1/openapi.json", "").await.good().body;
        let described = document["paths"].as_object().unwrap().iter();
        let looked: Vec<&String> = described.filter(|(_, methods)| methods.get("get").is_some()).map(|(path, _)| path).collect();
        assert!(looked.len() > 5, "{looked:?}");
        let mut paths: Vec<(String, &str)> = looked
            .iter()
            .map(|path| {
                let filled = path.replace("{tournament}", BARCELONA).replace("{order}", &order);
                (filled, if path.contains("staff") { admin.as_str() } else { token.as_str() })
            })
            .collect();
        // What is refused is told by the head alone, and the pages around the door are looked at likewise.
        paths.extend([
            (format!("/v1/orders/{order}"), "another-token"),
            ("/v1/tournaments/nowhere".to_owned(), ""),
            ("/v1/openapi.json".to_owned(), ""),
            ("/v1/docs/".to_owned(), ""),
        ]);
        for (path, bearer) in paths {
            let (head, nothing) = raw(&house, "HEAD", &path, bearer).await;
            let (same, body) = raw(&house, "GET", &path, bearer).await;
            assert_eq!((head, nothing), (same, Vec::new()), "{path}");
            assert!(!body.is_empty(), "{path}");
        }
        let posted = house.send(house.ask(Method::HEAD, &format!("/v1/tournaments/{BARCELONA}/quotes"), "")).await;
        assert_eq!((posted.status, &posted.headers["allow"]), (405, &"POST".parse().unwrap()));
        house.close().await;
    }
}
