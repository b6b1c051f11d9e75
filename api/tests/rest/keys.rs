//! Machines' keys: who may do what.

use std::collections::BTreeSet;

use api::auth::{self, NewKey, Role};
use serde_json::json;
use store::{Lane, Store, keys};

use crate::house::{BARCELONA, House, player};

store::both! {
    async fn only_a_key_with_the_role_rules_chooses_instant_and_grades(store: Store) {
        let house = House::open(store, 300).await;
        let path = format!("/v1/tournaments/{BARCELONA}/quotes");
        let mut graded = player("Perez, Ana");
        graded["grades"] = json!({"rating": {"checked": {"by": "me"}}});
        let at = json!({"at": "2026-07-01T12:00:00+02:00", "entries": [{"section": "A", "entrant": player("x")}]});
        let checked = json!({"entries": [{"section": "A", "entrant": graded}]});
        let viewer = house.key(Role::Viewer).await;
        for (key, status, slug) in [
            ("", 401, "unauthenticated"),
            ("a-payer-s-token", 401, "unauthenticated"),
            (viewer.as_str(), 403, "denied"),
        ] {
            for (body, fault) in [(&at, "at needs_rules_role"), (&checked, "entries[0].entrant.grades needs_rules_role")] {
                let heard = house.post(&path, key, body).await;
                assert_eq!((heard.status, heard.slug()), (status, slug), "{heard:?}");
                assert_eq!(heard.faults(), [fault]);
                assert_eq!(heard.headers.contains_key("www-authenticate"), status == 401);
            }
            let asked = json!({"paid": {"amount": 1, "currency": "EUR"}, "requested_at": "2026-07-01T12:00:00+02:00"});
            let heard = house.post(&format!("/v1/tournaments/{BARCELONA}/refund-quotes"), key, &asked).await;
            assert_eq!((heard.status, heard.faults()), (status, vec!["requested_at needs_rules_role".to_owned()]));
        }
        let rules = house.key(Role::Rules).await;
        assert_eq!(house.post(&path, &rules, &at).await.good().body["at"], "2026-07-01T10:00:00Z");
        let facts = house.post(&path, &rules, &checked).await.good().body["facts"].clone();
        assert!(facts.as_array().unwrap().iter().any(|f| f["grade"]["grade"] == "checked"), "{facts}");
        // The shape of grades is described, and its example is good.
        let document = house.get("/v1/openapi.json", "").await.good().body;
        for who in ["PlayerIn", "TeamIn"] {
            let described = &document["components"]["schemas"][who]["properties"]["grades"];
            let shape = &described["additionalProperties"]["$ref"];
            assert_eq!(shape, "#/components/schemas/GradeIn", "{who}: {described}");
        }
        let mut shown = checked.clone();
        shown["entries"][0]["entrant"]["grades"] =
            document["components"]["schemas"]["PlayerIn"]["properties"]["grades"]["example"].clone();
        assert_eq!(shown["entries"][0]["entrant"]["grades"].as_object().unwrap().len(), 3);
        house.post(&path, &rules, &shown).await.good();
        shown["entries"][0]["entrant"]["grades"] = json!({"rating": "sure"});
        let odd = house.post(&path, &rules, &shown).await;
        assert_eq!((odd.status, odd.faults()), (422, vec!["entries[0].entrant.grades.rating wrong_type".to_owned()]));
        house.close().await;
    }

    async fn a_wrong_expired_or_revoked_key_opens_nothing(store: Store) {
        let house = House::open(store, 300).await;
        let path = format!("/v1/staff/tournaments/{BARCELONA}/orders");
        let desk = &house.app.desk;
        let make = async |expires_at| {
            let new = NewKey {
                organiser: house.organiser,
                label: "test".to_owned(),
                roles: BTreeSet::from([Role::Viewer]),
                expires_at,
            };
            auth::make_key(desk, new).await.unwrap()
        };
        let wall = desk.clock().wall();
        let (id, good) = make(Some(wall.plus_seconds(3_600))).await;
        house.get(&path, &good).await.good();
        let (_, expired) = make(Some(wall.plus_seconds(-1))).await;
        let mut wrong = good.clone();
        wrong.pop();
        wrong.push(if good.ends_with('0') { '1' } else { '0' });
        let stranger = good.replacen("enr_0", "enr_7", 1);
        for key in [expired.as_str(), wrong.as_str(), stranger.as_str(), "enr_", "enr_x_y", "enr_0000000000001_"] {
            let heard = house.get(&path, key).await;
            assert_eq!((heard.status, heard.slug()), (401, "unauthenticated"), "{key}: {heard:?}");
            assert!(heard.headers["www-authenticate"].to_str().unwrap().starts_with("Bearer"));
        }
        let at = desk.clock().wall();
        desk.store().write(Lane::Settle, move |c| keys::revoke(c, id, at)).await.unwrap();
        assert_eq!(house.get(&path, &good).await.status, 401);
        house.close().await;
    }

    async fn each_act_asks_for_its_role_and_its_organiser(store: Store) {
        let house = House::open(store, 300).await;
        let (order, _, entry) = house.register("Perez, Ana").await;
        let reads = format!("/v1/staff/tournaments/{BARCELONA}/journal");
        let acts = [
            (format!("/v1/staff/entries/{entry}/approval"), Role::Arbiter),
            (format!("/v1/staff/orders/{order}/refunds"), Role::Treasurer),
            (format!("/v1/staff/tournaments/{BARCELONA}/capacity"), Role::Admin),
            (format!("/v1/staff/tournaments/{BARCELONA}/regulations"), Role::Admin),
            (format!("/v1/staff/tournaments/{BARCELONA}/regulation-previews"), Role::Admin),
        ];
        for role in Role::ALL {
            let key = house.key(role).await;
            let may_read = !matches!(role, Role::Rules | Role::Pairing);
            assert_eq!(house.get(&reads, &key).await.status, if may_read { 200 } else { 403 }, "{role}");
            for (path, needed) in &acts {
                let heard = house.post(path, &key, &json!({})).await;
                let allowed = role == *needed || role == Role::Admin;
                assert_eq!(heard.slug() != "denied", allowed, "{role} {path}: {heard:?}");
            }
        }
        let other = house.app.desk.organiser("other", "Other").await.unwrap();
        let new = NewKey {
            organiser: other,
            label: "other".to_owned(),
            roles: Role::ALL.into_iter().collect(),
            expires_at: None,
        };
        let (_, key) = auth::make_key(&house.app.desk, new).await.unwrap();
        assert_eq!(house.get(&reads, &key).await.status, 403);
        for (path, _) in &acts {
            assert_eq!(house.post(path, &key, &json!({})).await.status, 403, "{path}");
        }
        assert_eq!(house.get(&format!("/v1/orders/{order}"), &key).await.status, 403);
        house.close().await;
    }
}
