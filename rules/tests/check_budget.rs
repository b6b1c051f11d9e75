//! How many classes of entrants `check` looks at, also where boundaries multiply. The figures are of classes, not of time, so
//! that they are the same on every machine.

mod support;

use std::fmt::Write;

use rules::Regulation;
use rules::check::{Checked, Limits, checked};
use support::{TOURNAMENTS, project, regulation};

const LIMITS: Limits = Limits {
    minimum_charge: 50,
    ..Limits::ANY_SUM
};

fn looked(regulation: &Regulation) -> Checked {
    let looked = checked(regulation, &|_| LIMITS);
    let stopped = looked
        .findings
        .iter()
        .any(|found| found.code == "not_proved");
    assert!(!stopped, "{:#?}", looked.findings);
    looked
}

#[test]
fn the_files_of_the_project_have_few_classes() {
    for id in TOURNAMENTS {
        let classes = looked(&regulation(id)).classes;
        assert!(classes < 2_000, "{id}: {classes}");
    }
    for file in std::fs::read_dir(project("rules/tests/fixtures/regulations")).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let regulation = Regulation::parse("x.toml", &text, 1).unwrap();
        let classes = looked(&regulation).classes;
        assert!(classes < 2_000, "{}: {classes}", path.display());
    }
}

const SECTIONS: [&str; 6] = ["A", "B", "C", "D", "E", "F"];
const TITLES: [&str; 8] = ["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"];

/// By section, each a little dearer than the one before.
fn by_section(sum: i32) -> String {
    let sums = SECTIONS.iter().zip(0..);
    let sums: Vec<String> = sums
        .map(|(id, more)| format!("{id} = {}", sum + more))
        .collect();
    format!("{{ {} }}", sums.join(", "))
}

/// Twenty bands of rating.
fn bands() -> String {
    let mut text = String::new();
    for band in 0..20 {
        let (from, sum) = (1000 + 75 * band, 100 - 3 * band);
        let low = if band == 0 {
            String::new()
        } else {
            format!("from = {from}, ")
        };
        let high = if band == 19 {
            "to = 9000".to_owned()
        } else {
            format!("under = {}", from + 75)
        };
        let amount = by_section(sum);
        let _ = write!(
            text,
            "[[fees.row]]\nid = \"band{band}\"\narticle = \"1\"\nwhen = {{ rating = {{ {low}{high} }}, title = \"none\" }}\namount = {amount}\n"
        );
    }
    text
}

fn titles() -> String {
    let mut text = String::new();
    for (title, sum) in TITLES.iter().zip([20, 25, 30, 35, 22, 27, 32, 37]) {
        let amount = by_section(sum);
        let _ = write!(
            text,
            "[[fees.row]]\nid = \"{title}\"\narticle = \"1\"\nwhen = {{ title = \"{title}\" }}\namount = {amount}\n"
        );
    }
    text
}

/// Fifteen bands of age, ten dates and five licences.
fn adjustments(stages: [&str; 3]) -> String {
    let mut text = String::new();
    let mut add = |id: String, stage: &str, when: String, change: String| {
        let _ = write!(
            text,
            "[[adjust]]\nid = \"{id}\"\narticle = \"1\"\nstage = \"{stage}\"\nwhen = {{ {when} }}\n{change}\n"
        );
    };
    let [people, time, clubs] = stages;
    for band in 0..15 {
        let (from, to) = (6 * band, 6 * band + 3);
        let when = format!("age = {{ from = {from}, to = {to} }}");
        add(
            format!("age{band}"),
            people,
            when,
            format!("amount = -{}", 1 + band % 7),
        );
    }
    for step in 0..10 {
        let when = format!("registered = {{ from = 2026-06-{:02} }}", 3 + 2 * step);
        add(
            format!("date{step}"),
            time,
            when,
            format!("amount = {}", 1 + step),
        );
    }
    for (licence, less) in ["FCE", "FEDA", "FIDE", "FMDA", "FVDA"].iter().zip(1..) {
        let when = format!("licence = \"{licence}\"");
        add(
            licence.to_string(),
            clubs,
            when,
            format!("amount = -{less}"),
        );
    }
    text
}

fn nasty(stages: &str, adjustments: &str) -> Regulation {
    let mut text = String::new();
    for (id, limit) in SECTIONS.iter().zip([9000, 2400, 2200, 2000, 1800, 1600]) {
        let _ = write!(
            text,
            "[section.{id}]\nname = \"{id}\"\nadmits = {{ rating = {{ under = {limit} }} }}\n"
        );
    }
    text += "[[admits]]\nwhen = { federation = \"ESP\" }\nneeds = { licence = \"FEDA\" }\narticle = \"1\"\n[fees]\nchoose = \"only\"\n";
    support::small(&(text + &bands() + &titles() + stages + adjustments))
}

/// Boundaries multiply here to 9 titles x 21 ratings x 31 ages x 11 stretches x 32 sets of licences x 2 federations.
const PRODUCT: u64 = 9 * 21 * 31 * 11 * 32 * 2;

#[test]
fn bands_that_multiply_are_looked_at_one_after_the_other() {
    let stages = "[[stage]]\nid = \"people\"\ncombine = \"best\"\n[[stage]]\nid = \"time\"\ncombine = \"last\"\n[[stage]]\nid = \"clubs\"\ncombine = \"best\"\n";
    let regulation = nasty(stages, &adjustments(["people", "time", "clubs"]));
    let looked = looked(&regulation);
    assert_eq!(looked.findings, []);
    assert!(
        looked.classes < 400_000,
        "{} of 6 x {PRODUCT}",
        looked.classes
    );
}

#[test]
fn bands_that_add_up_too() {
    let stages = "[[stage]]\nid = \"reductions\"\n[[stage]]\nid = \"charges\"\n";
    let regulation = nasty(
        stages,
        &adjustments(["reductions", "charges", "reductions"]),
    );
    let looked = looked(&regulation);
    assert!(
        looked.classes < 400_000,
        "{} of 6 x {PRODUCT}",
        looked.classes
    );
}

/// Whose every answer counts, in each of the 64 sections: sixteen million classes a section.
#[test]
fn a_file_at_every_limit_stops_at_a_budget_for_the_whole_of_it_and_says_where() {
    let mut text = String::new();
    for n in 0..64 {
        let _ = writeln!(text, "[section.s{n}]\nname = \"S\"");
    }
    for n in 0..24 {
        let _ = writeln!(text, "[[question]]\nid = \"q{n}\"\ntext = \"Q\"");
    }
    text += "[fees]\n[[fees.row]]\nid = \"fee\"\narticle = \"1\"\namount = 1\n";
    for n in 0..24 {
        let _ = writeln!(
            text,
            "[[adjust]]\nid = \"a{n}\"\narticle = \"1\"\nwhen = {{ answer = {{ q{n} = true }} }}\namount = {}",
            1 << n
        );
    }
    let looked = checked(&support::small(&text), &|_| LIMITS);
    assert!(looked.classes < 1_000_000, "{}", looked.classes);
    let told = looked
        .findings
        .iter()
        .map(|found| (found.code, found.row.clone()));
    let all = (0..64).map(|n| ("not_proved", Some(format!("s{n}"))));
    assert_eq!(told.collect::<Vec<_>>(), all.collect::<Vec<_>>());
}
