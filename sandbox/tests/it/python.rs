//! The official `stripe` package for Python as a second, independent judge.
//!
//! `ENROC_PYTHON` names an interpreter that has it; without one, `python3` is tried.

use std::path::Path;
use std::process::Command;

use crate::desk::{Desk, KEY, SECRET};

/// An interpreter that can import the package, or none.
fn interpreter() -> Option<String> {
    let named = std::env::var("ENROC_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(&named)
        .args(["-c", "import stripe"])
        .output()
        .ok()?;
    output.status.success().then_some(named)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_official_client_drives_the_sandbox() {
    let Some(python) = interpreter() else {
        assert!(
            std::env::var("CI").is_err(),
            "no Python interpreter with the package stripe (set ENROC_PYTHON)"
        );
        eprintln!("skipped: no Python interpreter with the package stripe (set ENROC_PYTHON)");
        return;
    };
    let desk = Desk::open();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/drive.py");
    let mut command = tokio::process::Command::new(python);
    // The loopback is never behind a proxy.
    command
        .arg(script)
        .args([desk.sandbox.base_url(), KEY, SECRET])
        .env("NO_PROXY", "127.0.0.1,localhost");
    let output = command.output().await.unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
