//! The page's content security policy: only its own scripts run, and nothing
//! is loaded from anywhere. Imports nothing of ours.

use sha2::{Digest, Sha256};

/// A policy under which these inline scripts run and no others, and the page
/// can reach neither network nor disk. Styles are inline; pictures are the ones
/// that the page itself makes.
pub fn policy<'a>(scripts: impl IntoIterator<Item = &'a str>) -> String {
    let hashes: Vec<String> = scripts
        .into_iter()
        .map(|script| format!("'sha256-{}'", base64(&Sha256::digest(script))))
        .collect();
    format!(
        "default-src 'none'; script-src {}; style-src 'unsafe-inline'; img-src data: blob:; \
         base-uri 'none'; form-action 'none'",
        hashes.join(" ")
    )
}

/// Base64 with padding (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, index| {
            bits << 8 | u32::from(three.get(index).copied().unwrap_or(0))
        });
        for index in 0..4 {
            text.push(if index <= three.len() {
                char::from(LETTERS[(bits >> (18 - 6 * index)) as usize & 63])
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648, section 10.
    #[test]
    fn base64_is_the_standards() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    /// `printf 'alert(1)' | openssl dgst -sha256 -binary | base64`.
    #[test]
    fn a_script_is_named_by_its_hash() {
        assert_eq!(
            policy(["alert(1)"]),
            "default-src 'none'; \
             script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='; \
             style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"
        );
    }
}
