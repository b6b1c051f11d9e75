//! The contract of Enroc: the `.proto` files beside this crate and the Rust made from them, servers and clients.
//!
//! `enroc.rules.v1` asks the rules engine, `enroc.registration.v1` is the desk for payers and staff,
//! `enroc.pairing.v1` is what pairing software serves so that it can be told who plays. The words are those of the
//! design; ids are text with their prefix, money is minor units beside its currency, instants are
//! `google.protobuf.Timestamp`, days are `YYYY-MM-DD`.

#[expect(
    clippy::allow_attributes,
    clippy::doc_markdown,
    clippy::too_many_lines,
    reason = "made by tonic's build step"
)]
mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}

pub use contract::enroc::{pairing, registration, rules};

/// The descriptors of all files and what they import (`google.protobuf.FileDescriptorSet`), for reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

#[cfg(test)]
mod tests {
    use prost::Message;

    #[test]
    fn reflection_knows_every_service() {
        let files = prost_types::FileDescriptorSet::decode(super::FILE_DESCRIPTOR_SET).unwrap();
        let services: Vec<String> = files
            .file
            .iter()
            .flat_map(|file| file.service.iter().map(|s| (file.package(), s.name())))
            .map(|(package, name)| format!("{package}.{name}"))
            .collect();
        for name in [
            "enroc.rules.v1.RulesService",
            "enroc.registration.v1.RegistrationService",
            "enroc.registration.v1.DeskService",
            "enroc.pairing.v1.PairingInboxService",
        ] {
            assert!(services.iter().any(|s| s == name), "{name} of {services:?}");
        }
    }
}
