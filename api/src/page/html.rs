//! What every page has around it, and text that stays text.

use std::fmt::{self, Display, Write};

use domain::Language;

/// A text between tags or in a quoted attribute: whatever it holds, it is no markup.
pub(super) struct Safe<T>(pub T);

impl<T: Display> Display for Safe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.to_string().chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// A whole page; `above` and `title` are text, `body` is HTML.
pub(super) fn frame(language: Language, above: &str, title: &str, body: &str) -> String {
    let (code, above, title) = (language.code(), Safe(above), Safe(title));
    format!(
        "<!doctype html>\n<html lang=\"{code}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title} · {above}</title>\n\
         <link rel=\"stylesheet\" href=\"/orders/page.css\">\n</head>\n<body>\n<header><p>{above}</p></header>\n<main>\n\
         <h1>{title}</h1>\n{body}</main>\n</body>\n</html>\n"
    )
}

/// A list of names and values; both are text.
pub(super) fn pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut out = String::from("<dl>\n");
    for (name, value) in pairs {
        out += &format!("<dt>{}</dt><dd>{}</dd>\n", Safe(name), Safe(value));
    }
    out + "</dl>\n"
}

/// A paragraph of text.
pub(super) fn paragraph(text: impl Display) -> String {
    format!("<p>{}</p>\n", Safe(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_names() {
        let evil = "Ana <script>alert('&\"')</script>";
        let page = frame(
            Language::Ca,
            evil,
            evil,
            &(paragraph(evil) + &pairs([(evil, evil.to_owned())])),
        );
        assert!(!page.contains("<script"), "{page}");
        assert_eq!(
            page.matches("&lt;script&gt;alert(&#39;&amp;&quot;&#39;)")
                .count(),
            7,
            "{page}"
        );
    }
}
