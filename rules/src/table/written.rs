//! The fee table written out: text, Markdown, HTML.

use domain::Language;

use super::FeeTable;

impl FeeTable {
    /// As plain text with aligned columns, in one language.
    #[must_use]
    pub fn to_text(&self, language: Language) -> String {
        let lines = self.lines(language);
        let width = |column: usize| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..=self.sections.len()).map(width).collect();
        let mut text = String::new();
        for line in &lines {
            for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
                let gap = " ".repeat(width - cell.chars().count());
                text += &if column == 0 {
                    format!("{cell}{gap}")
                } else {
                    format!("  {gap}{cell}")
                };
            }
            text.push('\n');
        }
        text
    }

    /// As a table of Markdown (GitHub's), in one language.
    #[must_use]
    pub fn to_markdown(&self, language: Language) -> String {
        let mut lines = self.lines(language).into_iter();
        let head = lines.next().unwrap_or_default();
        let rule = std::iter::once("---").chain(head.iter().skip(1).map(|_| "---:"));
        let rule = rule.map(str::to_owned).collect();
        let row = |cells: Vec<String>| {
            let cells = cells.iter().map(|cell| cell.replace('|', "\\|"));
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        [head, rule].into_iter().chain(lines).map(row).collect()
    }

    /// As a table of HTML, in one language: a fragment for a page of one's own.
    #[must_use]
    pub fn to_html(&self, language: Language) -> String {
        let mut lines = self.lines(language).into_iter();
        let head = lines.next().unwrap_or_default();
        let row = |cells: &[String], first: &str, other: &str| {
            let cells = cells.iter().enumerate().map(|(place, cell)| {
                let tag = if place == 0 { first } else { other };
                let name = tag.split(' ').next().unwrap_or(tag);
                format!("<{tag}>{}</{name}>", escaped(cell))
            });
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let head = row(&head, "th scope=\"col\"", "th scope=\"col\"");
        let body: String = lines
            .map(|line| row(&line, "th scope=\"row\"", "td"))
            .collect();
        let language = language.code();
        format!(
            "<table lang=\"{language}\">\n<thead>\n{head}</thead>\n<tbody>\n{body}</tbody>\n</table>\n"
        )
    }

    /// The head and the rows, cell by cell.
    fn lines(&self, language: Language) -> Vec<Vec<String>> {
        let currencies: Vec<&str> = self.currencies.iter().map(|one| one.code()).collect();
        let names = self.sections.iter().map(ToString::to_string);
        let head = std::iter::once(currencies.join(", ")).chain(names);
        let rows = self.rows.iter().map(|row| {
            let label = row.text.in_language(language).to_owned();
            let cells = row.cells.iter();
            let cells = cells.map(|cell| cell.clone().unwrap_or("–".to_owned()));
            std::iter::once(label).chain(cells).collect()
        });
        std::iter::once(head.collect()).chain(rows).collect()
    }
}

/// A text between tags: whatever it holds, it is no markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
