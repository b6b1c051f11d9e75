//! Two who enter at once: one seat, one form number, one row of the journal, one entry of one person, one use of a code.

use registration::{NewCode, Register, Registered};
use store::Settings;
use store::guard::Guard;
use store::testing::drop_unique;

use super::{Pair, ends};
use crate::world::{
    BARCELONA, case_file, entry, id, order, payer, plain_player, player, staff, take_in,
};

const KENT: &str = "ken24";

const FORM_NUMBERS: &str = "UNIQUE (tournament_id, form_number)";
const JOURNAL_NUMBERS: &str = "PRIMARY KEY (tournament_id, number)";

fn asked(name: &str) -> Register {
    order(BARCELONA, vec![entry(Some("A"), player(name))])
}

fn status(registered: Registered) -> String {
    registered.status.to_string()
}

fn form(registered: Registered) -> String {
    format!("form {}", registered.entries[0].form_number)
}

/// Two who ask here and there, how each ended, and what the audit finds.
async fn entering(
    pair: &Pair,
    without: &[Guard],
    asked: [Register; 2],
    said: fn(Registered) -> String,
) -> ([String; 2], Vec<String>) {
    let by = payer();
    let [one, other] = asked;
    let both = pair.race(
        without,
        pair.here.desk.register(&by, one),
        pair.there.register(&by, other),
    );
    (ends(both.await, said), pair.findings().await)
}

/// One seat, and two who want it.
async fn one_seat(settings: &Settings, without: &[Guard]) -> ([String; 2], Vec<String>) {
    let pair = Pair::open(settings, 1).await;
    entering(&pair, without, ["Anna", "Berta"].map(asked), status).await
}

async fn forms(settings: &Settings, without: &[Guard]) -> ([String; 2], Vec<String>) {
    let pair = Pair::open(settings, 9).await;
    entering(&pair, without, ["Anna", "Berta"].map(asked), form).await
}

/// The same person, whose name is written in two ways.
async fn one_person(settings: &Settings, without: &[Guard]) -> ([String; 2], Vec<String>) {
    let pair = Pair::open(settings, 9).await;
    entering(
        &pair,
        without,
        ["Pérez, Ana", "ana perez"].map(asked),
        status,
    )
    .await
}

/// One free place for who holds a title, and two who do.
async fn one_free(settings: &Settings, without: &[Guard]) -> ([String; 2], Vec<String>) {
    let pair = Pair::open(settings, 9).await;
    let text = case_file(KENT).replace("first   = 6", "first   = 1");
    take_in(&pair.here.desk, &text).await;
    take_in(&pair.there, &text).await;
    pair.here.clock.set(KENT, "2024-05-20T10:00:00Z");
    let titled = |name| {
        let mut player = plain_player(name);
        player.title = Some(domain::Title::Im);
        let mut asked = order(
            KENT,
            vec![entry(Some("open"), domain::Entrant::Player(player))],
        );
        asked.payer.consents.clear();
        asked
    };
    let costs = |registered: Registered| format!("for {}", registered.total);
    entering(&pair, without, ["Dora", "Eva"].map(titled), costs).await
}

/// A code for one, and two who have it.
async fn one_code(settings: &Settings, without: &[Guard]) -> ([String; 2], Vec<String>) {
    let pair = Pair::open(settings, 9).await;
    let new = NewCode {
        label: "gm".into(),
        uses: 1,
        agreed_price: None,
    };
    let (by, tournament) = (staff(), id(BARCELONA));
    let code = pair.here.desk.issue_code(&by, &tournament, new);
    let code = code.await.unwrap();
    let guest = |name| {
        let mut guest = plain_player(name);
        guest.rating = Some(2_500);
        let mut asked = entry(Some("A"), domain::Entrant::Player(guest));
        asked.code = Some(code.clone());
        order(BARCELONA, vec![asked])
    };
    let said = |registered: Registered| format!("for {}", registered.total);
    entering(&pair, without, ["Anna", "Berta"].map(guest), said).await
}

fn as_strings<const N: usize>(words: [&str; N]) -> [String; N] {
    words.map(str::to_owned)
}

store::both! {
    async fn one_seat_is_taken_by_one(settings: Settings) {
        assert_eq!(one_seat(&settings, &[]).await, (as_strings(["held", "waitlisted"]), vec![]));
    }

    async fn without_its_guard_one_seat_is_taken_by_two(settings: Settings) {
        let (ends, found) = one_seat(&settings, &[Guard::Seat]).await;
        assert_eq!(ends, ["held", "held"]);
        let over = ["the entries are not as many as the tournament's row says", "more seats are taken than there are"];
        assert_eq!(found, over);
    }

    async fn a_form_number_is_given_once(settings: Settings) {
        assert_eq!(forms(&settings, &[]).await, (as_strings(["form 1", "form 2"]), vec![]));
    }

    async fn behind_the_guard_of_a_form_number_stands_the_key(settings: Settings) {
        assert_eq!(forms(&settings, &[Guard::FormNumber]).await, (as_strings(["changed-meanwhile", "form 1"]), vec![]));
    }

    async fn without_its_guards_a_form_number_is_given_twice(settings: Settings) {
        drop_unique(&settings, "entries", FORM_NUMBERS);
        let (ends, found) = forms(&settings, &[Guard::FormNumber]).await;
        assert_eq!(ends, ["form 1", "form 1"]);
        assert_eq!(found, ["2 entries stand under 1 form numbers"]);
    }

    async fn a_journal_number_is_given_once(settings: Settings) {
        drop_unique(&settings, "journal", JOURNAL_NUMBERS);
        assert_eq!(forms(&settings, &[]).await.1, Vec::<String>::new());
    }

    async fn behind_the_guard_of_a_journal_number_stands_the_key(settings: Settings) {
        assert_eq!(forms(&settings, &[Guard::JournalNumber]).await, (as_strings(["changed-meanwhile", "form 1"]), vec![]));
    }

    async fn without_its_guards_a_journal_number_is_given_twice(settings: Settings) {
        drop_unique(&settings, "journal", JOURNAL_NUMBERS);
        let (ends, found) = forms(&settings, &[Guard::JournalNumber]).await;
        assert_eq!(ends, ["form 1", "form 2"]);
        assert_eq!(found, ["the journal jumps from 3 to 3"]);
    }

    async fn a_person_enters_once(settings: Settings) {
        drop_unique(&settings, "entries", "entries_identity");
        assert_eq!(one_person(&settings, &[]).await, (as_strings(["already-entered", "held"]), vec![]));
    }

    async fn behind_the_guard_of_a_person_stands_the_index(settings: Settings) {
        assert_eq!(one_person(&settings, &[Guard::Person]).await, (as_strings(["changed-meanwhile", "held"]), vec![]));
    }

    async fn without_its_guards_a_person_enters_twice(settings: Settings) {
        drop_unique(&settings, "entries", "entries_identity");
        assert_eq!(one_person(&settings, &[Guard::Person]).await.0, ["held", "held"]);
    }

    async fn a_free_place_is_given_once(settings: Settings) {
        assert_eq!(one_free(&settings, &[]).await, (as_strings(["for 0", "for 4500"]), vec![]));
    }

    async fn without_its_guard_a_free_place_is_given_twice(settings: Settings) {
        assert_eq!(one_free(&settings, &[Guard::Claim]).await.0, ["for 0", "for 0"]);
    }

    async fn a_code_is_used_as_often_as_it_says(settings: Settings) {
        assert_eq!(one_code(&settings, &[]).await, (as_strings(["code-used-up", "for 0"]), vec![]));
    }

    async fn without_its_guard_a_code_is_used_more_often(settings: Settings) {
        assert_eq!(one_code(&settings, &[Guard::Code]).await.0, ["for 0", "for 0"]);
    }
}
