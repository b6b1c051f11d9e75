//! Compiles the contract with protox, so that no protoc is needed: the Rust in `OUT_DIR`, and the descriptors, without
//! their comments, for reflection.

use std::path::PathBuf;

type Error = Box<dyn std::error::Error>;

const FILES: [&str; 4] = [
    "enroc/rules/v1/rules_service.proto",
    "enroc/registration/v1/registration_service.proto",
    "enroc/registration/v1/desk_service.proto",
    "enroc/pairing/v1/pairing_inbox_service.proto",
];

fn main() -> Result<(), Error> {
    println!("cargo:rerun-if-changed=enroc");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let mut compiler = protox::Compiler::new(["."])?;
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(FILES)?;
    tonic_prost_build::configure()
        .include_file("contract.rs")
        .compile_fds(compiler.file_descriptor_set())?;
    compiler.include_source_info(false);
    std::fs::write(
        out.join("descriptors.bin"),
        compiler.encode_file_descriptor_set(),
    )?;
    Ok(())
}
