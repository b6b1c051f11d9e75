//! Names of people and teams: when one is written at all, and when two are of one.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Whether a text shows nothing: blanks, controls, and characters that nobody sees.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || c.is_control() || is_unseen(c))
}

/// Whether a text can be a name: there is a letter or a digit in it that can be seen.
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.chars().any(|c| c.is_alphanumeric() && !is_unseen(c))
}

/// Whether a text is one line that reads as it is written: no line break or other control in it, and none of Unicode's
/// `Bidi_Control`, which turn what stands around them.
#[must_use]
pub fn is_one_line(text: &str) -> bool {
    if text.bytes().all(|b| b.is_ascii_graphic() || b == b' ') {
        return true;
    }
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let turns = |c: char| matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !text.chars().any(|c| breaks(c) || turns(c))
}

/// A name without accents, strokes, case, apostrophes, punctuation or double spaces, its words sorted, so that
/// `Pérez, Ana` and `ana perez` are one, and `O'Neil, Łukasz` and `Lukasz ONeil`.
#[must_use]
pub fn fold_name(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    // Most names are ASCII, and every quote of a team folds a few.
    if name.is_ascii() {
        let kept = name.chars().filter(|c| !joins(*c));
        folded.extend(kept.map(|c| spaced(c).to_ascii_lowercase()));
    } else {
        // What joins goes first: an acute accent that stands alone would come apart into a blank and a mark.
        let whole = name.chars().filter(|c| !joins(*c)).nfkd();
        let letters = whole.filter(|c| !is_combining_mark(*c) && !joins(*c) && !is_unseen(*c));
        for letter in letters.flat_map(char::to_lowercase) {
            match plain(letter) {
                Some(letters) => folded.push_str(letters),
                None => folded.push(spaced(letter)),
            }
        }
    }
    let mut words: Vec<&str> = folded.split_whitespace().collect();
    words.sort_unstable();
    words.join(" ")
}

fn spaced(c: char) -> char {
    if c.is_alphanumeric() { c } else { ' ' }
}

/// Apostrophes in all their shapes, and the point of `l·l`: with or without them it is the same word.
fn joins(c: char) -> bool {
    matches!(
        c,
        '\'' | '`' | '´' | 'ʹ' | 'ʻ' | 'ʼ' | '‘' | '’' | '‛' | '′' | '＇' | '·' | '•' | '‧'
    )
}

/// Small letters that no decomposition takes apart, as they are written where a keyboard lacks them.
fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ł' => "l",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ŧ' => "t",
        'ı' => "i",
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        'ς' => "σ",
        _ => return None,
    })
}

/// Unicode's `Default_Ignorable_Code_Point`, and other characters that leave nothing on the page.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_written_in_many_ways_is_one() {
        for (ways, one) in [
            (
                vec![
                    "pérez  GARCÍA, ana",
                    "Ana Perez-Garcia",
                    "ANA PÉREZ GARCÍA",
                    "Ana Perez\u{2011}Garcia",
                ],
                "ana garcia perez",
            ),
            (
                vec![
                    "O'Neil", "ONeil", "O’Neil", "O‘Neil", "OʼNeil", "O´Neil", "O`Neil", "o′neil",
                ],
                "oneil",
            ),
            (vec!["Łukasz Żak", "Lukasz Zak", "ŁUKASZ ŻAK"], "lukasz zak"),
            (vec!["Søren Ærø", "Soren Aero", "SØREN ÆRØ"], "aero soren"),
            (vec!["Đorđe", "Dorde", "ÐORÐE"], "dorde"),
            (vec!["Ħaż-Żabbar", "Haz Zabbar"], "haz zabbar"),
            (vec!["Groß", "GROSS", "GROẞ"], "gross"),
            (vec!["Œuvre", "oeuvre"], "oeuvre"),
            (vec!["Þór", "Thor"], "thor"),
            (vec!["Işık", "ISIK", "isik", "İsik"], "isik"),
            (vec!["Gal·la", "Galla", "GAL•LA", "Ga\u{140}la"], "galla"),
            (vec!["ΟΔΥΣΣΕΥΣ", "Οδυσσεύς"], "οδυσσευσ"),
            (
                vec!["A\u{200b}na", "Ana\u{ad}", "\u{feff}Ana", "Ana\u{3164}"],
                "ana",
            ),
        ] {
            for way in ways {
                assert_eq!(fold_name(way), one, "{way}");
            }
        }
        assert_ne!(fold_name("Ana Perez"), fold_name("Anna Perez"));
    }

    #[test]
    fn a_line_has_no_break_and_nothing_that_turns_it() {
        for text in [
            "",
            "Ana Pérez",
            "O\u{a0}Neil",
            "李",
            "عمر",
            "ש\u{200d}ל",
            "e\u{301}",
        ] {
            assert!(is_one_line(text), "{text:?}");
        }
        for odd in "\n\r\t\0\u{7f}\u{85}\u{2028}\u{2029}\u{61c}\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}".chars() {
            assert!(!is_one_line(&format!("Ana{odd}Pérez")), "{odd:?}");
        }
    }

    #[test]
    fn a_name_shows_a_letter_or_a_digit() {
        for (text, blank, name) in [
            ("", true, false),
            (" \t\u{a0}\u{3000}", true, false),
            ("\u{200b}\u{2060}\u{feff}", true, false),
            ("\u{3164}\u{115f}\u{ffa0}", true, false),
            ("\u{202e}\u{2066}\u{ad}\u{2800}", true, false),
            (".", false, false),
            ("- '", false, false),
            ("\u{301}", false, false),
            ("A", false, true),
            ("4", false, true),
            ("Ну", false, true),
            ("李", false, true),
            ("\u{200b}Ana", false, true),
        ] {
            assert_eq!((is_blank(text), is_name(text)), (blank, name), "{text:?}");
        }
    }
}
