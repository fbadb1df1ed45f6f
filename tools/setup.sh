#!/bin/sh
# Makes everything that `make` needs: .venv with the locked packages, and the system libraries under Qt.
#
#   sh tools/setup.sh test      Qt must start without a screen (tests, screenshots)
#   sh tools/setup.sh run       Qt must start on this screen; without a screen nothing of Qt is needed
#   sh tools/setup.sh partners  the mail server and the keyring that some tests speak to, and nothing else; as root
#
# Run again, it only looks. Cut off half-way, it starts afresh. As root on a system with apt it installs what is missing
# (STOPWELL_SETUP_APT=no forbids it); anyone else gets one line to type. The partners are tried once, and never needed.
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

# ---- what some tests speak to ----------------------------------------------------------------------------------------

# A real mail server and a real keyring. Without them their tests are skipped, each with its reason; so nothing in here
# stops anything, and no service is left running or set to start: the tests start what they need and end it.

has_any() { for path; do if [ -x "$path" ]; then return 0; fi; done; return 1; }

# The Debian packages of the partners that are not there.
missing_partners() {
    [ "$(uname -s)" = Linux ] || return 0
    has_any /usr/lib/dovecot/imap /usr/libexec/dovecot/imap /usr/local/libexec/dovecot/imap || echo dovecot-imapd
    command -v gnome-keyring-daemon >/dev/null || echo gnome-keyring
    command -v dbus-run-session >/dev/null ||
        if apt-cache show dbus-daemon >/dev/null 2>&1; then echo dbus-daemon; else echo dbus; fi
}

# install_partners PACKAGE...: what apt said stands in $log when it failed.
install_partners() {
    # Somebody's own mail server would begin to offer IMAP, and restart: that is theirs to decide.
    if is_installed dovecot-core && ! is_installed dovecot-imapd; then
        echo "dovecot runs here without IMAP; dovecot-imapd is not added to it." >"$log"
        return 1
    fi
    policy= # Debian's own question whether services may be started; one that is there stays as it is
    if [ ! -e /usr/sbin/policy-rc.d ]; then
        policy=/usr/sbin/policy-rc.d
        trap 'rm -f $policy' EXIT
        trap 'exit 1' HUP INT TERM
        printf '#!/bin/sh\nexit 101\n' >$policy
        chmod +x $policy
    fi
    install="apt-get -o DPkg::Lock::Timeout=60 -o Acquire::http::Timeout=20 install -y --no-install-recommends $*"
    done=0
    apt_run "$install" || apt_run "apt-get -o Acquire::http::Timeout=20 update && $install" || done=1
    case " $* " in *" dovecot-imapd "*)
        if is_installed dovecot-core && command -v update-rc.d >/dev/null; then
            update-rc.d dovecot disable >/dev/null 2>&1 || : # nor at the next start of this machine
        fi ;;
    esac
    if [ -n "$policy" ]; then rm -f $policy; fi
    trap - EXIT HUP INT TERM
    return $done
}

provide_partners() {
    missing=$(missing_partners | tr '\n' ' ')
    missing=${missing% }
    if [ -z "$missing" ]; then return 0; fi
    without="The tests that need a mail server or a keyring will be skipped (missing: $missing)"
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "$without: install what this system calls these packages."
        return 0
    fi
    if [ "$(id -u)" = 0 ] && { [ "$purpose" = partners ] || may_try_partners; }; then
        say "Some tests speak to a mail server or a keyring; installing: $missing"
        printf '%s\n' "$missing" >$venv/.partners 2>/dev/null || :
        log=$(mktemp)
        if install_partners $missing; then missing=; elif [ "$purpose" = partners ]; then cat "$log" >&2; fi
        rm -f "$log"
        if [ -z "$missing" ]; then return 0; fi
        if [ "$purpose" = partners ]; then stop "They could not be installed; what apt said stands above."; fi
    fi
    line="sh $here/tools/setup.sh partners"
    if [ "$(id -u)" != 0 ]; then
        if command -v sudo >/dev/null; then line="sudo $line"; else line="su - -c '$line'"; fi
    fi
    say "$without. To have them: $line"
}

# By itself only where it is allowed, and only once: a machine that is offline is not made to wait every time.
may_try_partners() { [ "${STOPWELL_SETUP_APT:-yes}" != no ] && ! stamped .partners "$missing"; }

case "$purpose" in
test | run) ;;
partners)
    if [ "$(id -u)" != 0 ]; then stop "Only root can install packages."; fi
    provide_partners
    exit
    ;;
*) stop "setup.sh knows test, run and partners, not $purpose." ;;
esac
venv_is_sound || make_venv
install_locked
install_stopwell
provide_qt
if [ "$purpose" = test ]; then provide_partners; fi
