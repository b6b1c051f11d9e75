//! What a draft says to people, in Catalan, Spanish and English.

use domain::{Language, SectionId, Text, Title};
use jiff::civil::Date;

use super::prices::percent;
use super::{Cancel, Early, Juniors};

const MONTHS: [[&str; 3]; 12] = [
    ["de gener", "de enero", "January"],
    ["de febrer", "de febrero", "February"],
    ["de març", "de marzo", "March"],
    ["d'abril", "de abril", "April"],
    ["de maig", "de mayo", "May"],
    ["de juny", "de junio", "June"],
    ["de juliol", "de julio", "July"],
    ["d'agost", "de agosto", "August"],
    ["de setembre", "de septiembre", "September"],
    ["d'octubre", "de octubre", "October"],
    ["de novembre", "de noviembre", "November"],
    ["de desembre", "de diciembre", "December"],
];

/// `open-2027` as a title: `Open 2027`.
pub(super) fn titled(id: &str) -> String {
    let words = id.replace(['-', '_'], " ");
    let mut letters = words.trim().chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Letters and numbers are those of groups; longer ids are names already.
pub(super) fn section(id: &SectionId) -> Text {
    let id = id.as_str();
    if id.len() > 2 {
        let name = titled(id);
        return Text::new(name.as_str(), name.as_str(), name.as_str());
    }
    Text::new(
        format!("Grup {id}"),
        format!("Grupo {id}"),
        format!("Group {id}"),
    )
}

pub(super) fn general() -> Text {
    Text::new("Inscripció", "Inscripción", "Entry")
}

pub(super) fn free(titles: &[Title]) -> Text {
    let titles: Vec<String> = titles.iter().map(Title::to_string).collect();
    let titles = titles.join(", ");
    Text::new(
        format!("{titles}: gratuït"),
        format!("{titles}: gratis"),
        format!("{titles}: free"),
    )
}

pub(super) fn early(early: &Early) -> Text {
    let [ca, es, en] = until(early.until);
    Text::new(
        format!("Descompte per inscripció {ca}"),
        format!("Descuento por inscripción {es}"),
        format!("Reduction for entry {en}"),
    )
}

pub(super) fn juniors(juniors: &Juniors) -> Text {
    let age = juniors.under;
    Text::new(
        format!("Descompte per a menors de {age} anys"),
        format!("Descuento para menores de {age} años"),
        format!("Reduction for those under {age}"),
    )
}

pub(super) fn cancel(cancel: &Cancel) -> Text {
    let [ca, es, en] = until(cancel.until);
    let kept = percent(cancel.keep);
    Text::new(
        format!(
            "Cancel·lació {ca}: es reté el {} %.",
            kept.replace('.', ",")
        ),
        format!(
            "Cancelación {es}: se retiene el {} %.",
            kept.replace('.', ",")
        ),
        format!("Cancelled {en}: {kept} % is kept."),
    )
}

pub(super) fn bases() -> Text {
    Text::new(
        "Accepto les bases del torneig.",
        "Acepto las bases del torneo.",
        "I accept the regulations of the tournament.",
    )
}

/// Until a day, in each of [`Language::ALL`].
fn until(day: Date) -> [String; Language::ALL.len()] {
    let [ca, es, en] = MONTHS[usize::from(day.month().unsigned_abs()) - 1];
    let day = day.day();
    let to = if matches!(day, 1 | 11) { "a l'" } else { "al " };
    [
        format!("fins {to}{day} {ca}"),
        format!("hasta el {day} {es}"),
        format!("until {day} {en}"),
    ]
}
