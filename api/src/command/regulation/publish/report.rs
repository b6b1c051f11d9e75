//! What publishing would change, in words.

use api::say;
use domain::{Language, SectionId};
use registration::{Example, Preview, Touched};
use rules::Regulation;

use super::super::diff::{print_clauses, print_prices};

/// Kinds of differences that are shown; `enroc regulation diff` shows all.
const SHOWN: usize = 8;

pub fn print(file: &Regulation, preview: &Preview) {
    let (id, stands) = (file.tournament(), preview.replaces);
    if preview.is_same() {
        say!("{id}: this is version {stands}, which is published already.");
        return;
    }
    say!(
        "\n{id}: version {stands} is published; this would be version {}.\n",
        stands + 1
    );
    for obstacle in &preview.obstacles {
        let text = obstacle.text.in_language(Language::En);
        say!("{}: cannot change: {text}", obstacle.at);
    }
    say!("Who enters from now on:");
    match &preview.prices {
        Some(diff) => print_prices(diff, SHOWN, "`enroc regulation diff`", "  "),
        None => say!("  the two cannot be compared"),
    }
    rest(preview);
    say!("\nWho is in already:");
    standing(&preview.touched);
    say!("");
}

fn rest(preview: &Preview) {
    if preview.clauses.is_empty() && preview.seats.is_empty() && !preview.closes_entry {
        return;
    }
    say!("\nWhat the text says otherwise:");
    print_clauses(&preview.clauses, "  ");
    for change in &preview.seats {
        let figure = |seats: Option<i64>| seats.map_or("no figure".to_owned(), |n| n.to_string());
        let (before, after) = (figure(change.before), figure(change.after));
        say!(
            "  seats of {}: {before} -> {after}",
            named(&change.sections)
        );
    }
    for change in &preview.firsts {
        let (row, before, after) = (&change.row, change.before, change.after);
        let kept = if change.taken > after {
            "; who has it keeps it, and nobody gets one until they are fewer"
        } else {
            ""
        };
        say!(
            "  the first {before} -> {after} of {row}, which {} have{kept}",
            change.taken
        );
    }
    if preview.closes_entry {
        say!("  entry is closed until `enroc tournament open` sets the seats");
    }
}

fn named(sections: &[SectionId]) -> String {
    if sections.is_empty() {
        return "the tournament".to_owned();
    }
    let ids: Vec<&str> = sections.iter().map(SectionId::as_str).collect();
    ids.join("+")
}

fn standing(touched: &Touched) {
    if touched.entries == 0 {
        say!("  nobody");
        return;
    }
    let versions = touched.versions.iter();
    let versions: Vec<String> = versions
        .map(|(version, entries)| format!("{entries} that of version {version}"))
        .collect();
    say!(
        "  {} entries in {} orders keep their price: {}",
        touched.entries,
        touched.orders,
        versions.join(", ")
    );
    let refused = &touched.refused;
    if refused.entries > 0 {
        let named = forms(&refused.examples, |_| String::new());
        say!(
            "  {} would not have been let in by this text, and stay in:{named}",
            refused.entries
        );
    }
    for (shift, what) in [
        (&touched.dearer, "would have paid more by this text"),
        (&touched.cheaper, "would have paid less by this text"),
        (
            &touched.refund_more,
            "would get more back than before, leaving today",
        ),
        (
            &touched.refund_less,
            "would get less back than before, leaving today",
        ),
        (
            &touched.refund_own,
            "leave by the clause of their own version, which is better",
        ),
    ] {
        if shift.entries > 0 {
            let all: Vec<String> = shift.sums.iter().map(ToString::to_string).collect();
            let sums = |one: &Example| format!(": {} -> {}", one.before, one.after);
            let named = forms(&shift.examples, sums);
            let (entries, all) = (shift.entries, all.join(" and "));
            say!("  {entries} {what}, {all} in all:{named}");
        }
    }
    for (count, what) in [
        (
            touched.erased,
            "entries cannot be asked about: the person was erased",
        ),
        (touched.waiting, "entries wait for a seat"),
        (touched.offered, "of them are offered a seat at once"),
        (
            touched.held_past_pay_by,
            "held orders keep their seat, to be paid, beyond this text's last instant for payments",
        ),
        (
            touched.held_without_card,
            "held orders can be paid by card no more",
        ),
    ] {
        if count > 0 {
            say!("  {count} {what}");
        }
    }
}

fn forms(examples: &[Example], more: impl Fn(&Example) -> String) -> String {
    let one = |example: &Example| {
        let section = example.section.as_ref();
        let section = section.map_or("no section", SectionId::as_str);
        let (form, entry) = (example.form_number, example.entry);
        format!("\n      form {form} in {section}, {entry}{}", more(example))
    };
    examples.iter().map(one).collect()
}
