//! A client in another language, made from the `.proto` files: Python with grpcio. `ENROC_PYTHON` names an interpreter
//! that has `grpcio` and `grpcio-tools`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::stand::Stand;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "proto") {
            found.push(path);
        }
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The modules of the whole contract, as protoc's Python plug-in makes them.
fn generate(python: &str, here: &Path) -> TempDir {
    let made = TempDir::new().unwrap();
    let contract = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proto");
    let mut sources = vec![here.join("details.proto")];
    files(&contract.join("enroc"), &mut sources);
    let folder = |flag: &str, path: &Path| format!("{flag}={}", path.display());
    let output = Command::new(python)
        .args(["-m", "grpc_tools.protoc"])
        .args([folder("-I", &contract), folder("-I", here)])
        .arg(folder("--python_out", made.path()))
        .arg(folder("--grpc_python_out", made.path()))
        .args(&sources)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    made
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_of_another_language_registers_and_is_refused_by_name() {
    let Ok(python) = std::env::var("ENROC_PYTHON") else {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "ENROC_PYTHON must name an interpreter with grpcio-tools where CI is true"
        );
        eprintln!("ENROC_PYTHON is not set: the Python client is not run");
        return;
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/grpc/python");
    let made = generate(&python, &here);
    let stand = Stand::new().await;
    let address = stand.address.trim_start_matches("http://").to_owned();
    let output = tokio::process::Command::new(python)
        .arg(here.join("client.py"))
        .arg(address)
        .arg(api::rehearse::examples::message().unwrap().to_string())
        .env("PYTHONPATH", made.path())
        .output();
    let output = output.await.unwrap();
    assert!(output.status.success(), "{}", said(&output));
}
