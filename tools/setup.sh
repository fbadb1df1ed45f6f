#!/bin/sh
# Makes everything that `make` needs: .venv with the locked packages, and the system libraries under Qt.
#
#   sh tools/setup.sh test      Qt must start without a screen (tests, screenshots)
#   sh tools/setup.sh run       Qt must start on this screen; without a screen nothing of Qt is needed
#
# Run again, it only looks. Cut off half-way, it starts afresh. As root on a system with apt it installs what is missing
# (STOPWELL_SETUP_APT=no forbids it); anyone else gets one line to type.
set -eu
unset PYTHONHOME PYTHONPATH
cd "$(dirname "$0")/.."

purpose=${1:-test}
here=$(pwd -P)
venv=.venv
unfinished=$venv/.unfinished
offscreen_packages="libgl1 libegl1 libxkbcommon0 libx11-6 libfontconfig1 libdbus-1-3"
xcb_packages="libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0"
wayland_packages="libwayland-client0 libwayland-cursor0 libwayland-egl1"

say() { printf '%s\n' "$*"; }

stop() {
    for line; do printf '%s\n' "$line" >&2; done
    exit 1
}

# ---- Python ---------------------------------------------------------------------------------------------------------

# Prints "3.11" and succeeds when $1 is a Python that Stopwell runs on.
fitting_version() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2]); sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null
}

find_python() {
    for python in ${PYTHON:-python3 python3.11 python3.12 python3.13}; do
        if version=$(fitting_version "$python"); then return 0; fi
    done
    stop "Stopwell needs Python 3.11, 3.12 or 3.13, and none was found (looked for: ${PYTHON:-python3, python3.11, python3.12, python3.13})." \
        "Install one, or name it: make setup PYTHON=/path/to/python3.12"
}

# A .venv that was finished, was made in this very folder (its scripts name it), and whose Python still runs.
venv_is_sound() {
    [ ! -e $unfinished ] && [ -x $venv/bin/pip ] && grep -qF "$here/$venv/bin/" $venv/bin/pip &&
        fitting_version $venv/bin/python >/dev/null && $venv/bin/python -c 'import pip' 2>/dev/null
}

make_venv() {
    find_python
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        # Everything at once: whoever can't install for themselves should have to type one line, not two.
        provide "Python can't make a virtual environment" "python$version-venv" $(qt_packages)
        "$python" -c 'import ensurepip, venv' || stop "$python still can't make a virtual environment."
    fi
    say "Making $venv with Python $version"
    rm -rf $venv
    mkdir $venv
    : >$unfinished
    "$python" -m venv $venv
}

# ---- packages -------------------------------------------------------------------------------------------------------

# True when the stamp $1 holds $2.
stamped() { [ -f $venv/$1 ] && [ "$(cat $venv/$1)" = "$2" ]; }

install_locked() {
    wanted=$(cksum <requirements-dev.lock)
    if stamped .locked "$wanted"; then return 0; fi
    say "Installing the locked packages; the first time this takes a minute or two"
    : >$unfinished
    PIP_USER=no $venv/bin/pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r requirements-dev.lock ||
        stop "The locked packages could not be installed; what pip said stands above."
    printf '%s\n' "$wanted" >$venv/.locked
    rm -f $unfinished
}

install_stopwell() {
    wanted=$(cat pyproject.toml app/__init__.py | cksum)
    if stamped .installed "$wanted"; then return 0; fi
    PIP_USER=no $venv/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e . ||
        stop "Stopwell could not be installed into $venv; what pip said stands above."
    printf '%s\n' "$wanted" >$venv/.installed
}

# ---- system libraries -----------------------------------------------------------------------------------------------

# What the window needs on this screen: "xcb", "wayland", or nothing.
platform() {
    case "${QT_QPA_PLATFORM:-}" in
    xcb*) echo xcb ;;
    wayland*) echo wayland ;;
    ?*) ;;
    *)
        if [ -n "${DISPLAY:-}" ]; then
            echo xcb
        elif [ -n "${WAYLAND_DISPLAY:-}" ]; then
            echo wayland
        fi
        ;;
    esac
}

has_screen() { [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ]; }

needs_qt() { [ "$purpose" != run ] || has_screen; }

# The Debian packages for this purpose. glib's has another name from Debian 13 and Ubuntu 24.04 on.
qt_packages() {
    needs_qt || return 0
    if apt-cache show libglib2.0-0t64 >/dev/null 2>&1; then echo libglib2.0-0t64; else echo libglib2.0-0; fi
    echo "$offscreen_packages"
    [ "$purpose" = run ] || return 0
    case "$(platform)" in
    xcb) echo "$xcb_packages" ;;
    wayland) echo "$wayland_packages" ;;
    esac
}

# Nothing when Qt starts without a screen and has a font to write with; else why not.
offscreen_fault() {
    fault=$(QT_QPA_PLATFORM=offscreen $venv/bin/python -c '
import sys
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication
app = QApplication([])
sys.exit(None if QFontDatabase.families() else "no font is installed")' 2>&1) || printf '%s\n' "${fault:-Qt ended without a word}" | tail -n 1
}

# Nothing when the libraries of the screen's platform are all there; else which are missing.
platform_fault() {
    [ "$purpose" = run ] && [ -n "$(platform)" ] && command -v ldd >/dev/null || return 0
    plugins=$($venv/bin/python -c 'import PySide6, pathlib; print(pathlib.Path(PySide6.__file__).parent / "Qt/plugins/platforms")')
    for plugin in "$plugins"/libq"$(platform)"*.so; do
        ldd "$plugin" | sed -n 's/^[[:space:]]*\(.*\) => not found$/\1 is missing/p'
    done | sort -u | head -n 1
}

qt_fault() {
    fault=$(offscreen_fault)
    if [ -z "$fault" ]; then fault=$(platform_fault); fi
    printf '%s' "$fault"
}

provide_qt() {
    needs_qt || return 0
    fault=$(qt_fault)
    if [ -z "$fault" ]; then return 0; fi
    [ "$(uname -s)" = Linux ] || stop "Qt does not start: $fault"
    provide "Qt does not start ($fault)" $(qt_packages)
    fault=$(qt_fault)
    if [ -n "$fault" ]; then stop "Qt still does not start: $fault"; fi
}

# ---- apt ------------------------------------------------------------------------------------------------------------

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

lists_are_empty() { [ -z "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' 2>/dev/null | head -n 1)" ]; }

# provide WHY PACKAGE...: installs those that are not there, or stops with the one line that would.
provide() {
    why=$1
    shift
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null ||
        stop "$why." "Install what this system calls the Debian packages: $*"
    missing=
    for package; do is_installed "$package" || missing="$missing $package"; done
    if [ -z "$missing" ]; then stop "$why, though every package it needs is installed: $*"; fi

    install="apt-get install -y --no-install-recommends$missing"
    if lists_are_empty; then install="apt-get update && $install"; fi
    if [ "$(id -u)" != 0 ]; then
        if command -v sudo >/dev/null; then line="sudo sh -c '$install'"; else line="su - -c '$install'"; fi
        stop "$why. Type this line, then run make again:" "" "    $line" ""
    elif [ "${STOPWELL_SETUP_APT:-yes}" = no ]; then
        stop "$why. Type this line, then run make again:" "" "    $install" ""
    fi
    say "$why; installing:$missing"
    # A fresh machine may still be updating itself: wait for it.
    install=$(printf '%s' "$install" | sed 's/apt-get /apt-get -o DPkg::Lock::Timeout=120 /g')
    log=$(mktemp)
    apt_run "$install" || apt_run "apt-get update && $install" || {
        cat "$log" >&2
        rm -f "$log"
        stop "apt could not install what is missing; what it said stands above."
    }
    rm -f "$log"
}

# Package lists can name files that the archive no longer has, so a failure is tried again with fresh ones.
apt_run() { DEBIAN_FRONTEND=noninteractive sh -c "$1" >>"$log" 2>&1 </dev/null; }

case "$purpose" in test | run) ;; *) stop "setup.sh knows test and run, not $purpose." ;; esac
venv_is_sound || make_venv
install_locked
install_stopwell
provide_qt
