use std::time::Duration;

use domain::{Cause, Event, PaymentId, RefundCause, RefundId, RefundMethod, Status};
use notifier::{MailTransport, Progress};
use store::Store;

use crate::smtp::Smtp;
use crate::world::World;

fn done(planned: usize, sent: usize) -> Progress {
    Progress {
        planned,
        sent,
        ..Progress::default()
    }
}

fn subject(mail: &serde_json::Value) -> String {
    mail["subject"].as_str().unwrap().to_owned()
}

store::both! {
    async fn a_payer_hears_of_every_change_once_and_in_order(store: Store) {
        let Some(mut smtp) = Smtp::start().await else { return };
        let world = World::new(store).await;
        let notifier = world.notifier(world.settings(MailTransport::Smtp(smtp.url())));

        world.register(1, Some("ana@example.org"), Status::Held).await;
        assert_eq!(notifier.step().await.unwrap(), done(1, 1));
        let held = smtp.next().await;
        assert_eq!(held["id"], "<ciutat-2026.1.held@example.org>");
        assert_eq!(held["to"], serde_json::json!(["ana@example.org"]));
        assert_eq!(held["type"], "multipart/alternative");
        for part in [&held["text"], &held["html"]] {
            let part = part.as_str().unwrap();
            assert!(part.contains("60.00 EUR must be paid before 2 July 2026, 12:00 (Europe/Madrid)"), "{part}");
            assert!(part.contains("https://desk.example/o/ord_0000000000001#0"), "{part}");
        }

        let charged_at = "2026-07-01T10:00:00Z".parse().unwrap();
        let paid = Event::PaymentSucceeded { payment: PaymentId(1), amount: 6_000, charged_at };
        world.moved(1, Cause::Confirm, vec![paid]).await;
        let back = Event::RefundReserved {
            refund: RefundId(1),
            amount: 3_000,
            kept: 3_000,
            method: RefundMethod::Card,
            cause: RefundCause::Player,
            rule: "cancellation.half".into(),
            entry: Some(domain::EntryId(1)),
        };
        world.moved(1, Cause::CancelByPlayer, vec![back]).await;
        assert_eq!(notifier.step().await.unwrap(), done(2, 2));
        let (confirmed, cancelled) = (smtp.next().await, smtp.next().await);
        assert_eq!(confirmed["id"], "<ciutat-2026.2.confirmed@example.org>");
        assert_eq!(cancelled["id"], "<ciutat-2026.4.cancelled@example.org>");
        let text = cancelled["text"].as_str().unwrap();
        assert!(text.contains("30.00 EUR goes back") && text.contains("art. 9"), "{text}");

        assert_eq!(notifier.step().await.unwrap(), Progress::default());
        smtp.open().await;
    }

    async fn one_dead_address_stops_nobody_else(store: Store) {
        let Some(mut smtp) = Smtp::start().await else { return };
        let world = World::new(store).await;
        let notifier = world.notifier(world.settings(MailTransport::Smtp(smtp.url())));

        world.register(1, Some("dead@example.org"), Status::Held).await;
        world.register(2, Some("not an address"), Status::Held).await;
        world.register(3, Some("ana@example.org"), Status::Held).await;
        world.moved(1, Cause::Confirm, Vec::new()).await;
        let progress = notifier.step().await.unwrap();
        assert_eq!(progress, Progress { planned: 4, sent: 1, dead: 3, ..Progress::default() });
        assert_eq!(smtp.next().await["to"], serde_json::json!(["ana@example.org"]));

        let dead = world.dead().await;
        let mut orders: Vec<i64> = dead.iter().map(|(order, _)| *order).collect();
        orders.sort_unstable();
        assert_eq!(orders, [1, 1, 2], "later ones of the same order go on: {dead:?}");
        assert!(dead.iter().any(|(_, error)| error.contains("no such user")), "{dead:?}");
        assert_eq!(world.open().await, 0);
    }

    async fn what_waits_keeps_the_order_of_its_lane_only(store: Store) {
        let Some(mut smtp) = Smtp::start().await else { return };
        let world = World::new(store).await;
        let notifier = world.notifier(world.settings(MailTransport::Smtp(smtp.url())));

        world.register(1, Some("later@example.org"), Status::Held).await;
        world.moved(1, Cause::Confirm, Vec::new()).await;
        world.register(2, Some("ana@example.org"), Status::Held).await;
        let progress = notifier.step().await.unwrap();
        assert_eq!(progress, Progress { planned: 3, sent: 1, again: 1, ..Progress::default() });
        assert_eq!(smtp.next().await["to"], serde_json::json!(["ana@example.org"]));
        assert_eq!(world.open().await, 2);

        smtp.open().await;
        assert_eq!(notifier.step().await.unwrap(), Progress::default(), "not due yet");
        world.clock.forward(72);
        assert_eq!(notifier.step().await.unwrap(), done(0, 2));
        let (first, second) = (smtp.next().await, smtp.next().await);
        assert_eq!(first["id"], "<ciutat-2026.1.held@example.org>");
        assert_eq!(second["id"], "<ciutat-2026.2.confirmed@example.org>");
    }

    async fn killed_between_sending_and_settling_it_repeats_with_the_same_id(store: Store) {
        let Some(mut smtp) = Smtp::start().await else { return };
        let world = World::new(store).await;
        let settings = world.settings(MailTransport::Smtp(smtp.url()));
        world.register(1, Some("slow@example.org"), Status::Held).await;

        let killed = world.notifier(settings.clone());
        let first = tokio::select! {
            _ = killed.step() => panic!("the server never answers"),
            first = smtp.next() => first,
        };
        drop(killed);

        let notifier = world.notifier(settings);
        assert_eq!(notifier.step().await.unwrap(), Progress::default(), "it is leased still");
        world.clock.forward(60);
        assert_eq!(notifier.step().await.unwrap(), done(0, 1));
        let second = smtp.next().await;
        assert_eq!(first["id"], second["id"]);
        world.clock.forward(3_600);
        assert_eq!(notifier.step().await.unwrap(), Progress::default(), "twice at most");
    }

    /// A clock was a day ahead, and was set right.
    async fn what_a_fast_clock_leased_or_put_off_is_sent_when_it_is_right(store: Store) {
        let Some(mut smtp) = Smtp::start().await else { return };
        let world = World::new(store).await;
        let settings = world.settings(MailTransport::Smtp(smtp.url()));
        world.register(1, Some("later@example.org"), Status::Held).await;
        world.clock.forward(86_400);
        let notifier = world.notifier(settings.clone());
        assert_eq!(notifier.step().await.unwrap(), Progress { planned: 1, again: 1, ..Progress::default() });
        world.register(2, Some("slow@example.org"), Status::Held).await;
        let killed = world.notifier(settings);
        let leased = tokio::select! {
            _ = killed.step() => panic!("the server never answers"),
            leased = smtp.next() => leased,
        };
        drop(killed);

        smtp.open().await;
        assert_eq!(notifier.step().await.unwrap(), Progress::default(), "not due yet");
        world.clock.forward(-86_400);
        assert_eq!(notifier.step().await.unwrap(), done(0, 2));
        let sent = [smtp.next().await["id"].clone(), smtp.next().await["id"].clone()];
        assert!(sent.contains(&leased["id"]), "{sent:?}");
    }

    async fn two_notifiers_on_one_database_send_each_mail_once(store: Store) {
        let Some(mut smtp) = Smtp::start().await else { return };
        let world = World::new(store).await;
        let settings = world.settings(MailTransport::Smtp(smtp.url()));
        for number in 1..=40 {
            world.register(number, Some("ana@example.org"), Status::Held).await;
        }
        let (one, other) = (world.notifier(settings.clone()), world.notifier(settings));
        let (mut one, other) = futures_util::try_join!(one.step(), other.step()).unwrap();
        one += other;
        // Who finds the other's leases has nothing to do; what is left then is sent by a third.
        assert_eq!((one.planned, one.sent, world.open().await), (40, 40, 0));
        let mut ids = std::collections::BTreeSet::new();
        for _ in 0..40 {
            ids.insert(smtp.next().await["id"].as_str().unwrap().to_owned());
        }
        assert_eq!(ids.len(), 40);
        smtp.open().await;
    }

    async fn nobody_is_written_to_who_was_erased(store: Store) {
        let Some(mut smtp) = Smtp::start().await else { return };
        let world = World::new(store).await;
        let notifier = world.notifier(world.settings(MailTransport::Smtp(smtp.url())));
        world.register(1, None, Status::Held).await;
        let progress = notifier.step().await.unwrap();
        assert_eq!(progress, Progress { planned: 1, moot: 1, ..Progress::default() });
        assert_eq!(world.open().await, 0);
        smtp.open().await;
    }

    async fn a_server_that_is_down_is_waited_for(store: Store) {
        let Some(mut smtp) = Smtp::start().await else { return };
        let world = World::new(store).await;
        let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let down = format!("smtp://{}", nobody.local_addr().unwrap());
        drop(nobody);
        world.register(1, Some("ana@example.org"), Status::Held).await;
        let notifier = world.notifier(world.settings(MailTransport::Smtp(down)));
        let progress = notifier.step().await.unwrap();
        assert_eq!(progress, Progress { planned: 1, again: 1, ..Progress::default() });
        world.clock.forward(2);
        let notifier = world.notifier(world.settings(MailTransport::Smtp(smtp.url())));
        assert_eq!(notifier.step().await.unwrap(), done(0, 1));
        assert!(subject(&smtp.next().await).contains("entry received"));
    }

    async fn a_folder_takes_mail_in_rehearsals(store: Store) {
        let world = World::new(store).await;
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("mail");
        let notifier = world.notifier(world.settings(MailTransport::Folder(place.clone())));
        world.register(1, Some("ana@example.org"), Status::Waitlisted).await;
        assert_eq!(notifier.step().await.unwrap(), done(1, 1));
        let names: Vec<_> = std::fs::read_dir(&place).unwrap().map(|f| f.unwrap().file_name()).collect();
        assert_eq!(names, ["ciutat-2026.000001.waitlisted.eml"]);
        let mail = std::fs::read_to_string(place.join(&names[0])).unwrap();
        assert!(mail.contains("You are number 1 in the waiting list."), "{mail}");
    }

    /// Whatever happens to an entry before its mails are sent, each says where the entry stood when its row was written.
    async fn a_late_mail_tells_its_occasion(store: Store) {
        let world = World::new(store).await;
        let folder = tempfile::tempdir().unwrap();
        let mut stood = Vec::new();
        let mut number = 0;
        for first in [Status::Waitlisted, Status::Held, Status::PendingApproval, Status::Confirmed] {
            for (then, last) in Cause::ALL.into_iter().flat_map(|a| Cause::ALL.map(|b| (a, b))) {
                let Ok(second) = first.after(then) else { continue };
                let Ok(third) = second.after(last) else { continue };
                number += 1;
                world.register(number, Some("ana@example.org"), first).await;
                world.moved(number, then, Vec::new()).await;
                world.moved(number, last, Vec::new()).await;
                stood.extend([first, second, third]);
            }
        }
        let notifier = world.notifier(world.settings(MailTransport::Folder(folder.path().to_owned())));
        assert_eq!(notifier.step().await.unwrap(), done(stood.len(), stood.len()));

        let mut mails: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().path()).collect();
        mails.sort();
        let word = |status| match status {
            Status::Waitlisted => "waiting list",
            Status::Held => "to be paid",
            Status::PendingApproval => "to be approved",
            Status::Confirmed => "confirmed",
            Status::Expired => "expired",
            Status::CancelledByPlayer => "cancelled",
            Status::CancelledByOrganiser => "cancelled by the organiser",
            Status::Rejected => "not accepted",
            Status::New | Status::Withdrawn => "withdrawn",
        };
        for (place, (mail, status)) in mails.iter().zip(&stood).enumerate() {
            let text = std::fs::read_to_string(mail).unwrap().replace("=\r\n", "");
            let line = format!("{}: 60.00 EUR", word(*status));
            assert!(text.contains(&line), "{line} in {}: {text}", mail.display());
            let last = place % 3 == 2;
            assert!(last || !text.contains("must be paid"), "{}", mail.display());
            assert!(text.contains("Group A"), "{text}");
        }
        // What still holds is asked for.
        let asks = |mail: &std::path::PathBuf| std::fs::read_to_string(mail).unwrap().contains("must be paid");
        let held = mails.iter().zip(&stood).filter(|(mail, _)| asks(mail));
        assert!(held.clone().count() > 0 && held.clone().all(|(_, status)| *status == Status::Held));
    }

    async fn it_runs_until_it_is_stopped(store: Store) {
        let world = World::new(store).await;
        let folder = tempfile::tempdir().unwrap();
        let mut settings = world.settings(MailTransport::Folder(folder.path().to_owned()));
        settings.interval = Duration::from_secs(3_600);
        let notifier = world.notifier(settings);
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let stopped = async { drop(stopped.await) };
        let story = async {
            world.register(1, Some("ana@example.org"), Status::Held).await;
            notifier.wake().notify_one();
            while world.open().await > 0 || std::fs::read_dir(folder.path()).unwrap().count() == 0 {
                tokio::task::yield_now().await;
            }
            stop.send(()).unwrap();
        };
        tokio::time::timeout(Duration::from_secs(30), async {
            tokio::join!(notifier.run(stopped), story)
        })
        .await
        .expect("it ends");
    }
}
