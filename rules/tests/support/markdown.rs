//! Tables and TOML blocks of a page, in their order.

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
