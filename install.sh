#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs a released garden-gate after verifying its SHA-256 checksum:
#
#   install.sh --url ADDRESS [--version VERSION] [--to FOLDER] [--cache FOLDER] [--build CHECKOUT]
#
#   --url      URL or folder with the files of the release; `{version}` in it is replaced
#   --version  default is the version of Cargo.toml next to this script; `build` builds CHECKOUT
#   --to       folder for the program, default ~/.local/bin
#   --cache    folder that keeps archives by their checksums; they are verified before each use
#   --build    builds a copy of this checkout with cargo if there is no such release
#
# The working directory may be the checkout of a pull request: no program and no configuration is taken from it.
#
# Exit codes: 0 installed, 1 error (for example a wrong checksum), 3 no such release and no --build.
set -eu

fail() { echo "error: $*" >&2; exit 1; }
note() { echo "$*" >&2; }

# Relative directories of PATH are in the working directory.
found=''
set -f
IFS=:
for folder in $PATH; do
  case $folder in /*) found=${found:+$found:}$folder ;; esac
done
unset IFS
set +f
PATH=$found
here=$(pwd)

absolute() { # PATH
  case $1 in '' | /* | [A-Za-z]:*) echo "$1" ;; *) echo "$here/$1" ;; esac
}

url='' version='' to=${HOME:-}/.local/bin cache='' checkout=''
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || fail "$1 needs a value"
  case $1 in
    --url) url=$2 ;;
    --version) version=$2 ;;
    --to) to=${2:-$to} ;;
    --cache) cache=$2 ;;
    --build) checkout=$2 ;;
    *) fail "unknown option $1" ;;
  esac
  shift 2
done

if [ -z "$version" ]; then
  version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$(dirname "$0")/Cargo.toml" 2>/dev/null | head -n 1)
  [ -n "$version" ] || fail "set --version"
fi
version=${version#v}
case $version in *[!0-9A-Za-z.+-]* | .*) fail "$version is not a version" ;; esac
to=$(absolute "$to") cache=$(absolute "$cache") checkout=$(absolute "$checkout")
case $url in *://*) ;; *) url=$(absolute "$url") ;; esac

work=$(mktemp -d)
trap 'cd / && rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cd "$work"

# Copies a file into a folder, so that no incomplete file is visible there.
install_file() { # FILE MODE FOLDER NAME
  mkdir -p "$3"
  cp "$1" "$3/.$4.$$"
  chmod "$2" "$3/.$4.$$"
  mv "$3/.$4.$$" "$3/$4"
}

# Fails if a parent of the build would change it: cargo and rustup read files in all of them.
check_parents() {
  parent=$work
  while :; do
    for name in .cargo/config .cargo/config.toml Cargo.toml rust-toolchain rust-toolchain.toml; do
      if [ -e "$parent/$name" ] && [ "$parent/.cargo" != "${CARGO_HOME:-${HOME:-}/.cargo}" ]; then
        fail "$parent/$name would change the build; set TMPDIR to another folder"
      fi
    done
    [ -n "$parent" ] || return 0
    parent=${parent%/*}
  done
}

# Builds a copy, since the checkout may be below that of a pull request.
build() { # REASON
  if [ -z "$checkout" ]; then echo "$1" >&2; exit 3; fi
  note "$1; building $checkout"
  case ${CARGO_HOME:-/} in "$here"/* | [!/]*) CARGO_HOME=$work/cargo; export CARGO_HOME ;; esac
  unset RUSTUP_TOOLCHAIN CARGO_TARGET_DIR
  check_parents
  mkdir "$work/source"
  for entry in "$checkout"/* "$checkout"/.[!.]*; do
    case ${entry##*/} in target | .git) continue ;; esac
    if [ -e "$entry" ]; then cp -RP "$entry" "$work/source/"; fi
  done
  (cd "$work/source" && cargo install --locked --profile quick --path . --root "$work/built")
  install_file "$work/built/bin/$program" 755 "$to" "$program"
}

# Downloads a file with curl, or else with wget, and prints the HTTP status. Redirects from HTTPS to HTTP are errors.
download() { # URL FILE
  if command -v curl >/dev/null; then
    curl --silent --show-error --location --retry 3 --proto "=${1%%:*}" --proto-redir "=https,${1%%:*}" \
      --output "$2" --write-out '%{http_code}' "$1" 2>"$work/log"
    return
  fi
  command -v wget >/dev/null || { echo "neither curl nor wget is installed" >"$work/log"; return 1; }
  # The headers go to standard error; BusyBox ignores --tries.
  code=0
  LC_ALL=C wget -S --tries=3 -T 60 -O "$2" "$1" 2>"$work/log" || code=$?
  case $1 in
    https://*)
      if grep -qi '^ *Location: *http:' "$work/log"; then
        echo "redirected from HTTPS to HTTP" >"$work/log"
        return 1
      fi ;;
  esac
  status=$(sed -n 's,.*HTTP/[0-9.]* \([0-9][0-9][0-9]\).*,\1,p' "$work/log" | tail -n 1)
  if [ "$code" = 0 ] || [ "${status:-200}" -ge 400 ]; then echo "$status"; else return "$code"; fi
}

# Writes a file of the release; fails if the release lacks it.
get() { # NAME FILE
  case $url in
    http://* | https://*)
      code=0
      status=$(download "$url/$1" "$2") || code=$?
      case $code/$status in
        0/200) ;;
        0/404 | 0/410) return 1 ;;
        0/*) fail "$url/$1: HTTP status $status" ;;
        *) fail "cannot download $url/$1 ($(grep -v -e '^$' -e '^Giving up' "$work/log" | tail -n 1)); set the address of a mirror, or build from source" ;;
      esac ;;
    *)
      [ -f "${url#file://}/$1" ] || return 1
      cp "${url#file://}/$1" "$2" ;;
  esac
}

sha256() { # FILE
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  MINGW* | MSYS* | CYGWIN*) os=windows ;;
  *) os=$(uname -s) ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) arch=$(uname -m) ;;
esac
program=garden-gate ending=tar.gz
if [ "$os" = windows ]; then program=garden-gate.exe ending=zip; fi

if [ "$version" = build ]; then
  build "no release is requested"
  exit
fi

if [ -z "$url" ]; then
  build "there is no address of a release"
  exit
fi

url=$(printf '%s' "$url" | sed "s/{version}/$version/g")
url=${url%/}
name=garden-gate-$version-$os-$arch
if ! get SHA256SUMS "$work/SHA256SUMS"; then
  build "there is no release at $url"
  exit
fi
# Lines are `CHECKSUM  NAME`, or `CHECKSUM *NAME` for binary mode.
expected=$(awk -v name="$name.$ending" '$2 == name || $2 == "*" name { print $1 }' "$work/SHA256SUMS")
case $expected in *[!0-9a-f]*) fail "$url/SHA256SUMS has no single checksum of $name.$ending" ;; esac
archive=$name.$ending
kept='' from=$url
if [ -n "$cache" ] && [ -n "$expected" ]; then kept=$cache/garden-gate/$expected; fi
# Another repository with the same runner may have written the cache.
if [ -n "$kept" ] && [ -f "$kept/$archive" ] && cp "$kept/$archive" "$work/$archive" &&
  [ "$(sha256 "$work/$archive")" = "$expected" ]; then
  from=$kept
elif [ -z "$expected" ] || ! get "$archive" "$work/$archive"; then
  build "the release at $url has no $name.$ending"
  exit
fi
actual=$(sha256 "$work/$name.$ending")
[ "$actual" = "$expected" ] || fail "$url/$name.$ending has the checksum $actual, but SHA256SUMS requires $expected; nothing was installed"

mkdir "$work/files"
if [ "$ending" = zip ]; then
  command -v unzip >/dev/null || fail "unzip is not installed, which $name.$ending needs"
  unzip -q "$work/$name.$ending" "$name/$program" -d "$work/files"
else
  tar -xzf "$work/$name.$ending" -C "$work/files" "$name/$program"
fi
unpacked=$work/files/$name/$program
if [ -L "$unpacked" ] || ! [ -f "$unpacked" ]; then fail "$name/$program in $name.$ending is not a file"; fi
if [ -n "$kept" ] && [ "$from" = "$url" ]; then install_file "$work/$archive" 644 "$kept" "$archive"; fi
install_file "$unpacked" 755 "$to" "$program"
note "installed garden-gate $version from $from"
