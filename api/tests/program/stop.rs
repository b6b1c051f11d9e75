//! How the program says how it is, and how it ends when it is asked to.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::commands::{bare, with};
use crate::served::Served;

#[tokio::test(flavor = "multi_thread")]
async fn it_says_how_it_is_and_ends_when_asked() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let served = Served::start(&with(&settings, &[]));
    assert_eq!(served.get("/livez", "").await["alive"], true);
    let ready = served.get("/readyz", "").await;
    assert_eq!(
        (&ready["ready"], &ready["tournaments"]),
        (&true.into(), &1.into()),
        "{ready}"
    );
    let page = reqwest::get(format!("{}/orders/ord_0000000000001", served.rest))
        .await
        .unwrap();
    assert_eq!(page.headers()["referrer-policy"], "no-referrer");
    assert!(page.text().await.unwrap().contains("<main>"));
    let metrics = served.text("/metrics").await;
    let counted =
        r#"enroc_requests_total{door="rest",method="GET",route="/readyz",status="200"} 1"#;
    assert!(metrics.contains(counted), "{metrics}");
    assert_eq!(served.terminate(), Some(0));
    let secret = std::fs::metadata(data.path().join("secret")).unwrap();
    assert_eq!(secret.len(), 32);
}

async fn ready(client: &reqwest::Client, served: &Served) -> Option<(u16, Value)> {
    let asked = client
        .get(format!("{}/readyz", served.rest))
        .send()
        .await
        .ok()?;
    let status = asked.status().as_u16();
    Some((status, asked.json().await.ok()?))
}

/// As a load balancer sees it: each time over a connection of its own.
#[tokio::test(flavor = "multi_thread")]
async fn it_says_that_it_goes_while_it_still_serves_and_then_drains() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let settings = with(
        &settings,
        &[("ENROC_NOTICE_SECONDS", "2"), ("ENROC_DRAIN_SECONDS", "5")],
    );
    let mut served = Served::start(&settings);
    let client = reqwest::Client::builder()
        .pool_max_idle_per_host(0)
        .no_proxy()
        .build()
        .unwrap();
    assert_eq!(ready(&client, &served).await.unwrap().0, 200);
    served.ask_to_end();
    let asked = Instant::now();
    let told = loop {
        let (status, told) = ready(&client, &served)
            .await
            .expect("it still takes connections");
        if status == 503 {
            break told;
        }
        assert!(asked.elapsed() < Duration::from_secs(1), "{told}");
    };
    assert_eq!(
        (&told["ready"], &told["draining"]),
        (&false.into(), &true.into()),
        "{told}"
    );
    // Whoever has not looked yet is served.
    let list = client
        .get(format!("{}/v1/tournaments", served.rest))
        .send()
        .await;
    assert_eq!(list.unwrap().status(), 200);
    let mut last = asked.elapsed();
    while let Some((status, _)) = ready(&client, &served).await {
        assert_eq!(status, 503);
        last = asked.elapsed();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (least, most) = (Duration::from_millis(1_500), Duration::from_millis(3_500));
    assert!(
        (least..most).contains(&last),
        "it took connections for {last:?}"
    );
    assert_eq!(served.wait(), Some(0));
    assert!(
        asked.elapsed() < Duration::from_secs(8),
        "{:?}",
        asked.elapsed()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn it_goes_on_where_nobody_reads_its_log() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let settings = with(&settings, &[("ENROC_LOG_FILTER", "debug")]);
    let served = Served::start_logging(&settings, writer.into());
    for _ in 0..20 {
        assert_eq!(served.get("/livez", "").await["alive"], true);
        let refused = served.get("/v1/tournaments/nowhere", "").await;
        assert_eq!(refused["type"], "urn:enroc:problem:unknown-tournament");
    }
    assert_eq!(served.terminate(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_be_looked_at_answers_to_head() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let served = Served::start(&with(&settings, &[]));
    let quiet = reqwest::redirect::Policy::none();
    let client = reqwest::Client::builder().redirect(quiet).build().unwrap();
    for path in [
        "/livez",
        "/readyz",
        "/metrics",
        "/",
        "/orders/page.css",
        "/v1/tournaments",
    ] {
        let address = format!("{}{path}", served.rest);
        let seen = client.get(&address).send().await.unwrap();
        let looked = client.head(&address).send().await.unwrap();
        assert_eq!(looked.status(), seen.status(), "{path}");
        assert_eq!(
            looked.headers().get("content-type"),
            seen.headers().get("content-type"),
            "{path}"
        );
        assert!(looked.bytes().await.unwrap().is_empty(), "{path}");
    }
}
