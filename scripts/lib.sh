# Functions of the scripts in this folder. Sourced by bash, not a command.
# shellcheck shell=bash

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
stamps=$root/var/stamps

say() { printf '%s\n' "$*"; }

# stop_with MESSAGE...: prints the reason and stops.
stop_with() {
  printf '%s\n' "$*" >&2
  exit 1
}

# Prints cargo's build folder.
target_dir() { printf '%s' "${CARGO_TARGET_DIR:-$root/target}"; }

# Prints the path of the release binary, which may not be built yet.
release_binary() { printf '%s/release/cabinet' "$(target_dir)"; }

# Prints the path of the program that the tests use, which may not be built yet.
debug_binary() { printf '%s/debug/cabinet' "$(target_dir)"; }

# need_tools TOOL...: stops with one sentence that names every missing tool.
need_tools() {
  local tool missing=()
  for tool in "$@"; do
    command -v "$tool" >/dev/null 2>&1 || missing+=("$tool")
  done
  [ ${#missing[@]} -eq 0 ] || stop_with "This needs ${missing[*]}, which this machine does not have. Please install it and run the command again."
}

# install_packages PACKAGE...: installs Debian packages, or says which to install by hand.
install_packages() {
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true >/dev/null 2>&1; then
      as_root=(sudo -n)
    else
      stop_with "Missing packages: $*. Please install them (apt-get install $*) and run the command again; this user may not."
    fi
  fi
  command -v apt-get >/dev/null 2>&1 ||
    stop_with "Missing packages: $*. There is no apt-get here: please install them in the way of this system and run the command again."
  say "Installing packages: $*"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null ||
    say "The package lists could not be refreshed; trying with the present ones."
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
    stop_with "The packages could not be installed: $*. Please install them by hand and run the command again."
}

# The release build also needs a C compiler, for the bundled SQLite and the cryptography.
need_c_compiler() {
  command -v cc >/dev/null 2>&1 || install_packages gcc libc6-dev
}

# Tests that set a program's clock wrong need libfaketime.
need_fake_clock() {
  [ -e "/usr/lib/$(uname -m)-linux-gnu/faketime/libfaketimeMT.so.1" ] || install_packages libfaketime
}

# build_tool NAME VERSION: puts a cargo command of exactly this version on the PATH, unless the machine has it there: ready-made where
# scripts/tools.txt has it, or else built once from its source. Both stand beside what cargo builds.
build_tool() {
  local name=$1 version=$2 tools
  tools=$(target_dir)/tools
  has_tool "$name" "$version" && return
  if grep -q -- "-$name==$version " scripts/tools.txt && ready_tools "$tools/ready"; then
    PATH=$tools/ready/bin:$PATH
    has_tool "$name" "$version" && return
  fi
  if ! grep -q "^\"$name $version " "$tools/.crates.toml" 2>/dev/null; then
    say "Building $name $version; this takes some minutes the first time."
    cargo install --locked --quiet --root "$tools" "$name@$version" ||
      stop_with "$name could not be built; cargo's own message stands above."
  fi
  PATH=$tools/bin:$PATH
}

# has_tool NAME VERSION: whether the PATH has this cargo command in this version.
has_tool() { [[ " $(cargo "${1#cargo-}" --version 2>/dev/null || true) " == *" $2 "* ]]; }

# ready_tools FOLDER: installs exactly the files of scripts/tools.txt there. Fails, and says why, if they can't be had or are others.
ready_tools() {
  local told
  cmp -s scripts/tools.txt "$1/.installed" && return
  rm -rf "$1"
  if told=$(python3 -m pip install --quiet --disable-pip-version-check --target "$1" --no-deps --require-hashes --only-binary :all: \
    -r scripts/tools.txt 2>&1); then
    cp scripts/tools.txt "$1/.installed"
  else
    rm -rf "$1"
    printf 'The ready-made tools of scripts/tools.txt can not be had:\n%s\n' "$told" >&2
    return 1
  fi
}

# Puts cargo-nextest on the PATH. It runs each test in a process of its own; in one process some of them collide.
need_nextest() { build_tool cargo-nextest 0.9.143; }

# Prints the target triple of this machine, such as x86_64-unknown-linux-gnu.
host_target() { rustc --print host-tuple; }

# make_certificate FOLDER KEY CHAIN: makes a folder with an authority (ca.pem) and with a certificate by it for localhost: its key in the file
# KEY, the certificate and its authority in the file CHAIN.
make_certificate() {
  local folder=$1 key=$2 chain=$3 new_key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
  mkdir "$folder"
  {
    openssl req -x509 "${new_key[@]}" -days 2 -subj '/CN=Authority of a test' -keyout "$folder/ca-key.pem" -out "$folder/ca.pem" &&
      openssl req "${new_key[@]}" -subj /CN=localhost -keyout "$folder/$key" -out "$folder/request.pem" &&
      openssl x509 -req -in "$folder/request.pem" -CA "$folder/ca.pem" -CAkey "$folder/ca-key.pem" -CAcreateserial -days 2 \
        -out "$folder/leaf.pem" -extfile <(printf 'subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n') &&
      cat "$folder/leaf.pem" "$folder/ca.pem" >"$folder/$chain"
  } 2>/dev/null || stop_with "openssl could not make a certificate."
}

# Prints the path of the newest Debian package of `make release`, or nothing.
newest_package() { find "$root/var/release" -name 'cabinet_*.deb' 2>/dev/null | sort -V | tail -n 1 || true; }

# content_hash PATH...: prints one hash over the names and contents of all files under the paths, except generated ones.
content_hash() {
  local path existing=()
  for path in "$@"; do
    [ ! -e "$path" ] || existing+=("$path")
  done
  find "${existing[@]}" \( -name node_modules -o -name dist -o -name results -o -name coverage \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1
}

# is_fresh NAME HASH: whether the step NAME last finished on exactly this content.
is_fresh() { [ "$(cat "$stamps/$1" 2>/dev/null)" = "$2" ]; }

# mark_fresh NAME HASH: records that the step NAME finished on this content.
mark_fresh() {
  mkdir -p "$stamps"
  printf '%s\n' "$2" >"$stamps/$1"
}

# package_hash FOLDER: prints one hash over the files that decide what npm installs there.
package_hash() {
  find "$1" -maxdepth 1 \( -name package.json -o -name package-lock.json -o -name .npmrc \) -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1
}

# scripted_packages FOLDER: prints the packages whose install scripts may run, the `true` ones under "allowScripts".
scripted_packages() {
  node -p 'Object.entries(require(process.argv[1]).allowScripts ?? {}).filter(([, may]) => may).map(([name]) => name).join(" ")' \
    "$root/$1/package.json"
}

# npm_install FOLDER: installs exactly the packages of the lock file if the package files have changed. `npm ci` never writes the lock
# file, whichever version of npm a machine has. Only the install scripts of named packages run.
npm_install() {
  local folder=$1 stamp=$1/node_modules/.installed scripted
  if [ "$(cat "$stamp" 2>/dev/null)" != "$(package_hash "$folder")" ]; then
    say "Installing the packages of $folder"
    read -ra scripted <<<"$(scripted_packages "$folder")"
    (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) ||
      stop_with "npm could not install the packages of $folder; its own message stands above."
    [ ${#scripted[@]} -eq 0 ] ||
      (cd "$folder" && npm rebuild --ignore-scripts=false --loglevel=error "${scripted[@]}" >/dev/null) ||
      stop_with "The install scripts of ${scripted[*]} failed; npm's own message stands above."
    package_hash "$folder" >"$stamp"
  fi
}

# Puts the node of web/node_modules first on the PATH. It is newer than the one of most machines.
use_node_of_web() {
  npm_install web
  PATH=$root/web/node_modules/.bin:$PATH
  export PATH
}

# build_web: builds the pages in web/dist if their sources have changed.
build_web() {
  local hash
  use_node_of_web
  hash=$(content_hash web)
  if ! is_fresh web "$hash" || [ ! -f web/dist/index.html ]; then
    say "Building the pages, which takes less than a minute"
    (cd web && npm run --silent build) || stop_with "The pages could not be built; the reason stands above."
    mark_fresh web "$(content_hash web)"
  fi
}

# build_release [CARGO-OPTION...]: builds the release binary with the pages inside. Cargo shows its progress, except with --quiet.
# shellcheck disable=SC2120 # most scripts pass no option
build_release() {
  build_web
  need_c_compiler
  if [ -x "$(release_binary)" ]; then
    say "Building what has changed in the server"
  else
    say "Building the server and its libraries, which takes some minutes the first time"
  fi
  cargo build --release --locked "$@" -p cabinet-server ||
    stop_with "The server could not be built; cargo's own message stands above."
}

# build_debug [CARGO-OPTION...]: builds the programs that tests and generators use, with the pages that web/dist has. The example makes
# cargo choose the same features of the libraries as for the tests of the workspace, so that nothing is compiled twice.
# shellcheck disable=SC2120 # most scripts pass no option
build_debug() {
  need_c_compiler
  mkdir -p web/dist
  cargo build --workspace --locked "$@" --bin cabinet --bin simulate --example diagrams ||
    stop_with "The server could not be built; cargo's own message stands above."
}

# need_program: sets `binary` to the program to run: the one that BINARY names, or else the release, which is built first.
need_program() {
  if [ -n "${BINARY:-}" ]; then
    binary=$(readlink -f "$BINARY")
    [ -x "$binary" ] || stop_with "There is no program $BINARY."
    use_node_of_web
  else
    need_tools cargo node npm
    build_release
    # shellcheck disable=SC2034 # the scripts use it
    binary=$(release_binary)
  fi
}
