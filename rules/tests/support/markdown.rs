//! Tables and TOML blocks of a page, in their order.

use rules::Regulation;

use super::{read, regulation, small};

/// A table: its header and its rows.
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// What a page holds besides prose.
pub enum Part {
    Toml(String),
    Table(Table),
}

pub fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line == "```toml" {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            parts.push(Part::Toml(block.join("\n") + "\n"));
        } else if line.starts_with('|') {
            let mut rows = Vec::new();
            lines.next_if(|line| line.starts_with("|---"));
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(cells(row));
            }
            let header = cells(line);
            parts.push(Part::Table(Table { header, rows }));
        }
    }
    parts
}

fn cells(row: &str) -> Vec<String> {
    let inner = row.trim_matches('|');
    inner
        .split('|')
        .map(|cell| cell.trim().to_owned())
        .collect()
}

/// The members of a cell, separated by semicolons.
pub fn members(cell: &str) -> Vec<&str> {
    cell.split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

/// Runs `judge` over every row of the tables whose header it knows; how many rows there were.
pub fn each_row(page: &str, header: &[&str], judge: impl Fn(&Regulation, &[String])) -> usize {
    let mut count = 0;
    let mut fragment = None;
    for part in parts(&read(page)) {
        match part {
            Part::Toml(text) => fragment = Some(small(&text)),
            Part::Table(Table {
                header: found,
                rows,
            }) if found == header => {
                for row in rows {
                    assert_eq!(row.len(), header.len(), "{row:?}");
                    if header[0] == "tournament" {
                        judge(&regulation(&row[0]), &row[1..]);
                    } else {
                        judge(fragment.as_ref().unwrap(), &row);
                    }
                    count += 1;
                }
            }
            Part::Table(_) => {}
        }
    }
    count
}
