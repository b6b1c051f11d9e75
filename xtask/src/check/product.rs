//! The program has nothing in it that is for tests alone.

use crate::{Result, check, process, project};

/// A crate of ours and its features that only tests may ask for.
const FOR_TESTS: &[(&str, &[&str])] = &[
    ("store", &["testing", "controls"]),
    ("domain", &["crash-points"]),
];

/// Asks cargo which features of these crates the program is built with; what tests ask for does not count.
pub fn look() -> Result {
    let mut faults = Vec::new();
    for (name, features) in FOR_TESTS {
        let tree = process::read(&mut project::cargo(&[
            "tree",
            "--locked",
            "--package",
            "api",
            "--edges",
            "normal,build,features",
            "--invert",
            name,
        ]))?;
        faults.extend(faults_in(&tree, name, features));
    }
    check::none(&faults)
}

fn faults_in(tree: &str, name: &str, features: &[&str]) -> Vec<String> {
    let asked = |feature: &&&str| tree.contains(&format!("{name} feature \"{feature}\""));
    let found = features.iter().filter(asked);
    found
        .map(|feature| {
            format!("the program is built with {name}'s `{feature}`, which is for tests")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::faults_in;

    const TREE: &str = "\
store v0.1.0 (store)
├── notifier v0.1.0 (notifier)
│   └── notifier feature \"default\"
├── store feature \"controls\"
│   └── api v0.1.0 (api)
└── store feature \"default\"
";

    #[test]
    fn a_feature_for_tests_is_found_wherever_it_is_asked_for() {
        let found = faults_in(TREE, "store", &["testing", "controls"]);
        assert_eq!(
            found,
            ["the program is built with store's `controls`, which is for tests"]
        );
        assert!(faults_in(TREE, "store", &["testing"]).is_empty());
    }
}
