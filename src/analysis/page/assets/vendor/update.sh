#!/bin/sh
# Fetches the charting libraries from the npm registry, checks them, and puts
# them here. Run it in this folder, after changing a version, with --pin to
# write the new checksums down; without, what comes must be what was pinned.
set -eu
cd "$(dirname "$0")"
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fetch() { # package version file-in-package file-here
    (cd "$work" && npm pack --silent "$1@$2" >/dev/null && mkdir "$1" && tar xzf "$1-$2.tgz" -C "$1")
    cp "$work/$1/package/$3" "$here/$4"
    cp "$work/$1/package/LICENSE" "$here/LICENSE-$1"
}

fetch vega 6.4.0 build/vega.min.js vega.min.js
fetch vega-lite 6.5.0 build/vega-lite.min.js vega-lite.min.js
fetch vega-embed 7.3.0 build/vega-embed.min.js vega-embed.min.js
fetch vega-interpreter 2.3.2 build/vega-interpreter.js vega-interpreter.js

# The interpreter is published as a module only, and a page that opens from
# disk cannot import one: its import becomes a look into `vega`, its export a
# global name.
sed -i \
    -e '1i (function () {' \
    -e "s/^import \(.*\) from 'vega-util';\$/const \1 = vega;/" \
    -e 's/^export { expression as expressionInterpreter };$/globalThis.vegaInterpreter = expression;\n})();/' \
    vega-interpreter.js
grep -q '^const .* = vega;$' vega-interpreter.js
grep -q '^globalThis.vegaInterpreter' vega-interpreter.js

# The maps from minified to original code are not here.
sed -i '/^\/\/# sourceMappingURL=/d' ./*.js
chmod 644 ./*.js LICENSE-*

if [ "${1:-}" = --pin ]; then
    sha256sum ./*.js LICENSE-* >SHA256SUMS
else
    sha256sum --check SHA256SUMS
fi
