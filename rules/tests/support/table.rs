//! Tables with commas between their cells (RFC 4180), as far as the cases need them.

use std::collections::BTreeMap;

/// The rows, each cell by the name of its column.
pub fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = cells(text).into_iter();
    let names = lines.next().unwrap_or_default();
    let row = |cells: Vec<String>| names.iter().cloned().zip(cells).collect();
    lines.map(row).collect()
}

fn cells(text: &str) -> Vec<Vec<String>> {
    let (mut lines, mut line, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => line.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                line.push(std::mem::take(&mut cell));
                lines.push(std::mem::take(&mut line));
            }
            '\r' => {}
            letter => cell.push(letter),
        }
    }
    lines
}
