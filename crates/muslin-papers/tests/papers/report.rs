//! Reports: what scripts and people read.

use muslin_papers::{Error, Options, items, reproduce};
use serde_json::Value;

const QUICK: Options = Options { quick: true, threads: 1, gpu: None };

/// Every item runs in its quick version and keeps the JSON contract: item, paper, and rows of label, paper, ours and unit.
#[test]
fn every_item_reports_as_promised() {
    for item in items() {
        // It has a test of its own.
        if item.name == "bender2013-table3" {
            continue;
        }
        let report = reproduce(item.name, &QUICK).unwrap();
        assert_eq!(report.item, item.name);
        let json: Value = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
        let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["item", "notes", "paper", "rows"], "{}", item.name);
        let rows = json["rows"].as_array().unwrap();
        assert!(!rows.is_empty(), "{}", item.name);
        for row in rows {
            let keys: Vec<&String> = row.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["label", "ours", "paper", "unit"]);
            assert!(row["ours"].is_f64(), "{}: {row}", item.name);
            assert!(row["paper"].is_null() || row["paper"].is_f64(), "{}: {row}", item.name);
            assert!(row["label"].is_string() && row["unit"].is_string());
        }
        let mut labels: Vec<&str> = report.rows.iter().map(|row| row.label.as_str()).collect();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!(labels.len(), report.rows.len(), "{}: labels are unique", item.name);
        for (name, svg) in &report.figures {
            assert!(
                name.starts_with(item.name) && svg.starts_with("<svg ") && !svg.contains("NaN"),
                "{name}"
            );
        }
        let is_drawn = !report.figures.is_empty() || !report.pictures.is_empty();
        assert!(is_drawn || !(item.name.contains("figure") || item.name.contains("energy")), "{}", item.name);
    }
}

#[test]
fn the_text_table_shows_the_paper_beside_ours() {
    let report = reproduce("bender2013-table2", &QUICK).unwrap();
    let text = report.to_string();
    let line = text.lines().find(|line| line.contains("Dancing Woody, shape matching 2D")).unwrap();
    assert!(line.contains(" 52.9 ") && line.ends_with('%'), "{line}");
    let line = text.lines().find(|line| line.contains("transfer between levels")).unwrap();
    assert!(line.contains('–'), "{line}");
}

#[test]
fn an_unknown_item_is_named_with_those_there_are() {
    let error = reproduce("bender2013-table9", &QUICK).unwrap_err();
    assert!(matches!(error, Error::NoSuchItem { .. }));
    let text = error.to_string();
    assert!(text.contains("bender2013-table9") && text.contains("bender2013-table3"), "{text}");
}
