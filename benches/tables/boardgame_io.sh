#!/usr/bin/env bash
# boardgame.io under the load of `cargo bench --bench tables`: its own server and its own client library, both in a folder that goes
# away. Usage: bash benches/tables/boardgame_io.sh [ACTIVE [SECONDS [RATE...]]]. It needs node and npm; versions are those measured last.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
active=${1:-1000} seconds=${2:-15}
shift $(($# < 2 ? $# : 2))
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
cp "$here"/boardgame_io/*.mjs "$folder"
cd "$folder"
# Its server finds no path of its own with a newer koa-compose.
npm install --silent --no-audit --no-fund boardgame.io@0.50.2 socket.io-client@4.8.4 koa-compose@4.1.0
NODE_ENV=production node server.mjs >server.log 2>&1 &
server=$!
node load.mjs "$server" "$active" "$seconds" "${@:-1000}"
