//! Values of a TOML text by their paths, in place: what is around them stays.

use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// The value at a path.
pub fn get<'a>(document: &'a DocumentMut, path: &[&str]) -> Option<&'a Value> {
    let (last, tables) = path.split_last()?;
    let mut table: &dyn TableLike = document.as_table();
    let mut steps = tables.iter().peekable();
    while let Some(name) = steps.next() {
        let item = table.get(name)?;
        table = match steps.peek().and_then(|step| step.parse::<usize>().ok()) {
            Some(number) => {
                steps.next();
                element(item, number)?
            }
            None => item.as_table_like()?,
        };
    }
    table.get(last)?.as_value()
}

fn element(item: &Item, number: usize) -> Option<&dyn TableLike> {
    match item {
        Item::ArrayOfTables(tables) => tables.get(number).map(|table| table as &dyn TableLike),
        Item::Value(Value::Array(list)) => {
            list.get(number)?.as_inline_table().map(|table| table as &dyn TableLike)
        }
        _ => None,
    }
}

/// Sets the value at a path; tables that are missing are made.
pub fn set(document: &mut DocumentMut, path: &[&str], value: Value) -> Result<(), String> {
    let Some((last, tables)) = path.split_last() else { return Err("a setting needs a name".to_owned()) };
    let table = table(document, tables, true).ok_or_else(|| format!("there is no {}", path.join(".")))?;
    match table.get_mut(last).and_then(Item::as_value_mut) {
        Some(old) => {
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        None => drop(table.insert(last, Item::Value(value))),
    }
    Ok(())
}

/// Removes the value at a path, if there is one.
pub fn remove(document: &mut DocumentMut, path: &[&str]) {
    if let Some((last, tables)) = path.split_last()
        && let Some(table) = table(document, tables, false)
    {
        table.remove(last);
    }
}

/// Removes everything of a table but some keys.
pub fn keep_only(document: &mut DocumentMut, path: &[&str], kept: &[&str]) {
    let Some(table) = table(document, path, false) else { return };
    let gone: Vec<String> = table.iter().map(|(name, _)| name.to_owned()).collect();
    gone.iter().filter(|name| !kept.contains(&name.as_str())).for_each(|name| drop(table.remove(name)));
}

/// The table at a path, made if it is missing and `makes`.
fn table<'a>(document: &'a mut DocumentMut, path: &[&str], makes: bool) -> Option<&'a mut dyn TableLike> {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    let mut steps = path.iter().enumerate().peekable();
    while let Some((depth, name)) = steps.next() {
        let number = steps.peek().and_then(|(_, step)| step.parse::<usize>().ok());
        if table.get(name).is_none_or(Item::is_none) {
            if !makes || number.is_some() {
                return None;
            }
            let new =
                if depth == 0 { Item::Table(Table::new()) } else { Item::Value(InlineTable::new().into()) };
            table.insert(name, new);
        }
        let item = table.get_mut(name)?;
        table = match number {
            Some(number) => {
                steps.next();
                element_mut(item, number)?
            }
            None => item.as_table_like_mut()?,
        };
    }
    Some(table)
}

fn element_mut(item: &mut Item, number: usize) -> Option<&mut dyn TableLike> {
    match item {
        Item::ArrayOfTables(tables) => tables.get_mut(number).map(|table| table as &mut dyn TableLike),
        Item::Value(Value::Array(list)) => {
            list.get_mut(number)?.as_inline_table_mut().map(|table| table as &mut dyn TableLike)
        }
        _ => None,
    }
}
