//! Embedding does not notice a new folder by itself.

fn main() {
    println!("cargo:rerun-if-changed=sqlite");
    println!("cargo:rerun-if-changed=postgres");
}
