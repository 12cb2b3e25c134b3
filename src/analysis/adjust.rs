//! P values of many tests together. Imports nothing of ours.

/// The p values adjusted so that rejecting those below α keeps the expected
/// share of false rejections at α (Benjamini and Hochberg, "Controlling the
/// false discovery rate", 1995); where there is no p value there is no test.
pub(super) fn benjamini_hochberg(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<(usize, f64)> = p_values
        .iter()
        .enumerate()
        .filter_map(|(place, p)| p.map(|p| (place, p)))
        .collect();
    order.sort_by(|one, other| one.1.total_cmp(&other.1));
    let tests = order.len() as f64;
    let mut adjusted = vec![None; p_values.len()];
    let mut least = 1.0_f64;
    for (rank, &(place, p)) in order.iter().enumerate().rev() {
        least = least.min(p * tests / (rank + 1) as f64);
        adjusted[place] = Some(least);
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fifteen p values of section 3 of the paper, of which it rejects the
    /// four smallest at 5 %.
    const PAPER: [f64; 15] = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0000,
    ];

    #[test]
    fn the_papers_example_rejects_four() {
        let p_values = PAPER.map(Some);
        let adjusted = benjamini_hochberg(&p_values);
        let below = adjusted.iter().flatten().filter(|&&p| p < 0.05).count();
        assert_eq!(below, 4);
        assert!((adjusted[3].unwrap() - 0.0095 * 15.0 / 4.0).abs() < 1e-15);
        // The sixth alone would be 0.0695; the seventh pulls it down.
        for (place, rank) in [(4, 5), (5, 7), (6, 7)] {
            let expected = PAPER[rank - 1] * 15.0 / rank as f64;
            assert!((adjusted[place].unwrap() - expected).abs() < 1e-15);
        }
        assert_eq!(adjusted[14], Some(1.0));
    }

    #[test]
    fn the_order_does_not_matter_and_gaps_stay() {
        let mixed = [Some(0.04), None, Some(0.01), Some(0.03)];
        let adjusted = benjamini_hochberg(&mixed);
        let text: Vec<String> = adjusted
            .iter()
            .map(|p| p.map_or("-".to_owned(), |p| format!("{p:.4}")))
            .collect();
        assert_eq!(text, ["0.0400", "-", "0.0300", "0.0400"]);
        assert_eq!(benjamini_hochberg(&[]), []);
    }
}
