//! Weights as lists under the names of their groups, as files have them.
//! Imports nothing of ours but the error.

use std::collections::BTreeMap;

use super::weights::WeightsError;

/// The weights by group; the groups are in order, name and length.
#[must_use]
pub fn write(groups: &[(&str, usize)], weights: &[i16]) -> BTreeMap<String, Vec<i16>> {
    let mut start = 0;
    groups
        .iter()
        .map(|&(name, len)| {
            start += len;
            (name.to_owned(), weights[start - len..start].to_vec())
        })
        .collect()
}

/// The reverse of [`write`]: there are as many weights as the groups have.
///
/// # Errors
/// Unknown groups, and groups that are missing or have another length.
pub fn read(
    groups: &[(&'static str, usize)],
    by_group: &BTreeMap<String, Vec<i16>>,
    weights: &mut [i16],
) -> Result<(), WeightsError> {
    let known = |name: &String| groups.iter().any(|(known, _)| known == name);
    if let Some(name) = by_group.keys().find(|&name| !known(name)) {
        return Err(WeightsError::Unknown(name.clone()));
    }
    let mut start = 0;
    for &(group, expected) in groups {
        let found = by_group.get(group).map_or(&[][..], Vec::as_slice);
        if found.len() != expected {
            return Err(WeightsError::Length {
                group,
                found: found.len(),
                expected,
            });
        }
        weights[start..start + expected].copy_from_slice(found);
        start += expected;
    }
    Ok(())
}
