//! The frame that every page has.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;

const STYLE: &str = "
:root{color-scheme:light dark;font:100%/1.5 system-ui,sans-serif}
body{margin:0;padding:1rem;background:Canvas;color:CanvasText}
main{max-width:30rem;margin:0 auto}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0}
table{width:100%;border-collapse:collapse;margin:1rem 0}
th,td{padding:.4rem 0;text-align:start;vertical-align:top;border-bottom:1px solid}
td:last-child,th:last-child{text-align:end;white-space:nowrap}
label,legend{display:block;font-weight:600;margin-top:1rem}
input,select,button{font:inherit;box-sizing:border-box;width:100%;min-height:2.75rem;padding:.5rem .75rem;border:2px solid;border-radius:.375rem;background:Canvas;color:CanvasText}
button{margin-top:1.25rem;font-weight:600;background:#1d4ed8;border-color:#1d4ed8;color:#fff;cursor:pointer}
button.plain{background:Canvas;color:CanvasText;border-color:CanvasText}
a{color:LinkText;display:inline-block;padding:.5rem 0}
:focus-visible{outline:3px solid #b45309;outline-offset:2px}
.error{border:2px solid #b91c1c;border-radius:.375rem;padding:.5rem .75rem}
.hint,.note{font-weight:400;margin:.25rem 0}
.note{border-inline-start:.25rem solid #b45309;padding-inline-start:.75rem}";

/// A whole page; `body` is HTML, `language` and `title` are text.
pub(super) fn page(status: StatusCode, language: &str, title: &str, body: &str) -> HttpResponse {
    let title = escape(title);
    let html = format!(
        "<!doctype html><html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\
         <style>{STYLE}</style></head><body><main>{body}</main></body></html>"
    );
    HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .insert_header(("cache-control", "no-store"))
        .insert_header(("referrer-policy", "no-referrer"))
        .insert_header(("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"))
        .body(html)
}

pub(super) fn see_other(location: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header(("location", location))
        .finish()
}

pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}
