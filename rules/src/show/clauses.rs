//! What comes back, byes, appeals and consents.

use domain::RefundMethod;

use super::{Page, words};
use crate::sums::Sums;

impl Page<'_> {
    pub(super) fn refunds(&mut self) {
        let clause = &self.regulation.refund;
        self.title("refunds to who cancels");
        self.line(
            "before approval, or where the organiser ends the entry",
            "everything",
        );
        self.beside(&clause.article, []);
        for (place, tier) in clause.tiers.iter().enumerate() {
            let mut kept = Vec::new();
            if tier.keep_share.0 > 0 {
                kept.push(words::share(i32::try_from(tier.keep_share.0).unwrap_or(0)));
            }
            if tier.keep_amount != Sums::default() {
                kept.push(self.sums(&tier.keep_amount));
            }
            if kept.is_empty() {
                kept.push("nothing".to_owned());
            }
            let least = if tier.keep_least == Sums::default() {
                String::new()
            } else {
                format!(", at least {}", self.sums(&tier.keep_least))
            };
            let how = method(tier.method);
            let mark = self
                .file
                .mark(&["refund", "tier", &place.to_string(), "method"]);
            let when = self.words.window(&tier.requested);
            let kept = kept.join(" and ");
            let of = match tier.of.is_empty() {
                true => String::new(),
                false => format!(" of {}", tier.of.join(" and ")),
            };
            let section = match tier.sections.is_empty() {
                true => String::new(),
                false => format!("{}, ", words::sections(&tier.sections)),
            };
            let proof = tier.proof.as_ref().map_or(String::new(), |proof| {
                format!(", where the organiser has seen{}", words::after(proof))
            });
            self.line(
                &tier.id,
                format!("{section}{when}{proof}: {kept}{of} is kept{least}; back {how}{mark}"),
            );
            self.beside(&tier.article, [&tier.text].into_iter().chain(&tier.proof));
        }
        let otherwise = "nothing by rule; the staff may decide";
        let otherwise = format!("{otherwise}, {}", method(clause.method));
        self.line_of(&["refund", "method"], "otherwise", otherwise);
    }

    pub(super) fn byes(&mut self) {
        let clause = &self.regulation.byes;
        self.title("byes");
        if clause.rules.is_empty() {
            self.line_of(&["byes"], "none", "may be asked for");
        }
        for (place, rule) in clause.rules.iter().enumerate() {
            let points = match rule.points {
                domain::ByePoints::Half => "half a point",
                domain::ByePoints::Zero => "no point",
            };
            let most = rule
                .most
                .map_or("any number".to_owned(), |most| most.to_string());
            let (from, to) = rule.rounds;
            let mark = self
                .file
                .mark(&["byes", "rule", &place.to_string(), "most"]);
            self.line(points, format!("{most}{mark}, in rounds {from} to {to}"));
            self.beside(&clause.article, []);
        }
        for pair in &clause.unpaired {
            let said = format!("leaves out round {}", pair.leaves_out);
            self.line(&format!("in round {}", pair.bye_in), said);
            self.beside(&clause.article, []);
        }
    }

    pub(super) fn appeals(&mut self) {
        self.title("appeals");
        if self.regulation.appeals.is_empty() {
            self.line_of(&["appeal"], "none", "with a time or a deposit");
        }
        for (place, appeal) in self.regulation.appeals.iter().enumerate() {
            let within = words::duration(appeal.within_seconds);
            let deposits = appeal.deposits.iter().filter(|sum| sum.amount > 0);
            let deposits: Vec<String> = deposits.map(ToString::to_string).collect();
            let deposit = if deposits.is_empty() {
                "no deposit".to_owned()
            } else {
                format!("a deposit of {}", deposits.join(" or "))
            };
            let mark = self.file.mark(&["appeal", &place.to_string(), "deposit"]);
            let text = words::after(&appeal.text);
            self.line(
                &appeal.id,
                format!("within {within}, {deposit}{mark}{text}"),
            );
            self.beside(&appeal.article, [&appeal.text]);
        }
    }

    pub(super) fn consents(&mut self) {
        self.title("consents");
        if self.regulation.consents.is_empty() {
            self.line_of(&["consent"], "none", "is asked for");
        }
        for consent in &self.regulation.consents {
            let needed = if consent.required {
                "required"
            } else {
                "freely given"
            };
            let text = words::after(&consent.text);
            self.line(&consent.id, format!("{needed}{text}"));
            self.beside(&consent.article, [&consent.text]);
        }
    }
}

fn method(method: RefundMethod) -> &'static str {
    match method {
        RefundMethod::Card => "by card",
        RefundMethod::Transfer => "by transfer",
        RefundMethod::Credit => "as a credit",
    }
}
