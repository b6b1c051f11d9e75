//! A letter as plain text and as HTML.

use super::letter::{Letter, Table};

/// The plain half.
pub(crate) fn text(letter: &Letter) -> String {
    let mut out = format!("{}\n\n", letter.greeting);
    for paragraph in &letter.paragraphs {
        out += &format!("{paragraph}\n\n");
    }
    for table in &letter.tables {
        out += &text_table(table);
    }
    out += &format!(
        "{}:\n{}\n\n{}\n",
        letter.link_text, letter.link, letter.footer
    );
    out
}

fn text_table(table: &Table) -> String {
    let mut out = format!("{}\n", table.title);
    for row in &table.rows {
        out += &format!("  {}: {}\n", row.what, row.sum);
    }
    for total in &table.totals {
        out += &format!("  {total}\n");
    }
    out + "\n"
}

const STYLE: &str = "body{font-family:sans-serif;line-height:1.45;max-width:40em;margin:1em auto;padding:0 1em}\
    table{border-collapse:collapse;width:100%;margin-bottom:1em}caption,th{text-align:left;font-weight:bold}\
    td{padding:.3em 0;border-top:1px solid #ccc;vertical-align:top}td+td{text-align:right;white-space:nowrap;padding-left:1em}\
    footer{color:#555;font-size:.9em;margin-top:2em}";

/// The HTML half; everything in it that comes from outside is escaped.
pub(crate) fn html(letter: &Letter) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\"><title>{}</title><style>{STYLE}</style></head>\n<body>\n<p>{}</p>\n",
        letter.language.code(),
        escape(&letter.subject),
        escape(&letter.greeting),
    );
    for paragraph in &letter.paragraphs {
        out += &format!("<p>{}</p>\n", escape(paragraph));
    }
    for table in &letter.tables {
        out += &html_table(table);
    }
    out += &format!(
        "<p><a href=\"{}\">{}</a></p>\n<footer>{}</footer>\n</body>\n</html>\n",
        escape(&letter.link),
        escape(&letter.link_text),
        escape(&letter.footer),
    );
    out
}

fn html_table(table: &Table) -> String {
    let mut out = format!("<table><caption>{}</caption>\n", escape(&table.title));
    for row in &table.rows {
        out += &format!(
            "<tr><td>{}</td><td>{}</td></tr>\n",
            escape(&row.what),
            escape(&row.sum)
        );
    }
    for total in &table.totals {
        out += &format!(
            "<tr><td colspan=\"2\"><strong>{}</strong></td></tr>\n",
            escape(total)
        );
    }
    out + "</table>\n"
}

/// Text that is safe between tags and in quoted attributes.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
