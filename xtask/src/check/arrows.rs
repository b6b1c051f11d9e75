//! Crates use only what the house allows: reads `cargo metadata`, refuses a new arrow.

use super::house::{RESERVED, ROOMS, Reserved, Room};
use crate::project::{self, Dependency, Package};
use crate::{Result, check};

pub fn look() -> Result {
    check::none(&faults(&project::metadata()?.packages))
}

fn faults(packages: &[Package]) -> Vec<String> {
    let mut faults = Vec::new();
    for package in packages {
        match ROOMS.iter().find(|room| room.name == package.name) {
            Some(room) => faults.extend(
                package
                    .dependencies
                    .iter()
                    .filter_map(|used| fault(room, used)),
            ),
            None => faults.push(format!(
                "{} is a new crate; give it a place in xtask/src/check/house.rs",
                package.name
            )),
        }
    }
    faults
}

fn fault(room: &Room, used: &Dependency) -> Option<String> {
    let tests = used.kind.as_deref() == Some("dev");
    let verb = if tests {
        "may not use, not even in tests,"
    } else {
        "may not use"
    };
    if ROOMS.iter().any(|other| other.name == used.name) {
        let itself = tests && used.name == room.name;
        let allowed = room.uses.contains(&used.name.as_str())
            || tests && room.tests_use.contains(&used.name.as_str());
        return (!itself && !allowed).then(|| {
            format!(
                "{} {verb} {}: the arrow is not in the house",
                room.name, used.name
            )
        });
    }
    let reserved = RESERVED
        .iter()
        .find(|reserved| names(reserved, &used.name))?;
    let allowed =
        reserved.by.contains(&room.name) || tests && reserved.by_tests.contains(&room.name);
    (!allowed).then(|| {
        format!(
            "{} {verb} {}: it is for {}",
            room.name,
            used.name,
            reserved.by.join(" and ")
        )
    })
}

fn names(reserved: &Reserved, name: &str) -> bool {
    reserved
        .names
        .iter()
        .any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *pattern,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults_of(name: &str, kind: Option<&str>, used: &str) -> Vec<String> {
        let used = Dependency {
            name: used.to_owned(),
            kind: kind.map(str::to_owned),
        };
        faults(&[Package {
            name: name.to_owned(),
            dependencies: vec![used],
        }])
    }

    #[test]
    fn arrows_of_the_house_pass() {
        for room in ROOMS {
            for used in room.uses {
                assert!(
                    faults_of(room.name, None, used).is_empty(),
                    "{} -> {used}",
                    room.name
                );
            }
        }
    }

    #[test]
    fn a_new_arrow_is_refused() {
        let found = faults_of("rules", None, "store");
        assert_eq!(
            found,
            ["rules may not use store: the arrow is not in the house"]
        );
        assert_eq!(faults_of("domain", Some("build"), "proto").len(), 1);
        assert_eq!(faults_of("registration", None, "payments").len(), 1);
        assert_eq!(faults_of("payments", None, "sandbox").len(), 1);
    }

    #[test]
    fn tests_reach_further_but_only_as_listed() {
        assert!(faults_of("payments", Some("dev"), "sandbox").is_empty());
        assert!(faults_of("store", Some("dev"), "store").is_empty());
        let found = faults_of("rules", Some("dev"), "sandbox");
        assert_eq!(
            found,
            ["rules may not use, not even in tests, sandbox: the arrow is not in the house"]
        );
    }

    #[test]
    fn a_crate_without_a_place_is_refused() {
        let found = faults_of("utils", None, "serde");
        assert_eq!(
            found,
            ["utils is a new crate; give it a place in xtask/src/check/house.rs"]
        );
    }

    #[test]
    fn crates_of_others_are_named_only_where_reserved() {
        let refused = [
            ("api", "diesel"),
            ("registration", "diesel_migrations"),
            ("api", "async-stripe-core"),
            ("api", "lettre"),
        ];
        for (room, used) in refused {
            assert_eq!(faults_of(room, None, used).len(), 1, "{room} -> {used}");
        }
        assert_eq!(
            faults_of("notifier", None, "actix-web"),
            ["notifier may not use actix-web: it is for api and sandbox"]
        );
        assert_eq!(faults_of("sandbox", None, "async-stripe").len(), 1);
        for (room, kind, used) in [
            ("store", None, "diesel"),
            ("payments", None, "async-stripe-core"),
            ("sandbox", Some("dev"), "async-stripe"),
            ("notifier", None, "lettre"),
            ("sandbox", None, "actix-web"),
            ("rules", None, "serde"),
        ] {
            assert!(faults_of(room, kind, used).is_empty(), "{room} -> {used}");
        }
    }
}
