//! Pages of `docs/` that tests print from the code, so that neither says what the other does not.

use std::path::Path;

/// Compares a page with what the code says; `UPDATE_DOCS=1` writes the page anew instead.
///
/// # Panics
/// Where the page is missing or says something else.
pub(crate) fn assert_page(name: &str, text: &str) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&page, text).expect("the page is written");
        return;
    }
    let stored = std::fs::read_to_string(&page).expect("the page is there");
    assert!(
        stored == text,
        "docs/{name} is not what the code says; run the test again with UPDATE_DOCS=1 and look at the difference"
    );
}
