#!/usr/bin/env bash
# Tries `make` the way a new user meets it: in a minimal Debian 12 that has Python, make and git, and nothing else.
#
#   tools/try_clean_debian.sh [--folder DIR] [--as root|user|both] [--worktree] [--keep] [--seconds N] [TARGET...]
#
#   --folder DIR   where the trees live (default: stopwell-clean-debian in the temporary folder). DIR/base is made once
#                  and used again; each try gets a fresh copy of it, DIR/as-user or DIR/as-root
#   --as WHO       the account that types make; default both, each in a tree of its own
#   --worktree     take the files as they stand here, not the last commit
#   --keep         leave the trees of the tries for a look; as a rule only the base stays
#   --seconds N    how long setting up and the open window may take before it is asked to end (default 300)
#   TARGET...      default: test run
#
# Needs root, debootstrap, git, unshare. Packages come from where this machine gets them: its apt sources and keys, the
# pip configuration of the whole machine, PIP_* and proxy variables, and certificates are carried over, and no address
# is written here. A try as an ordinary user types, as root, the one line that `make` asks for. With DISPLAY set the
# window opens on that screen (`xvfb-run tools/try_clean_debian.sh run` for one that nobody sees).
#
# Everything runs in mount and process namespaces of its own: when this script ends, however it ends, so does each
# process it started, and nothing stays mounted.
set -euo pipefail

CLERK=clerk
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
folder=${TMPDIR:-/tmp}/stopwell-clean-debian
accounts=(user root)
worktree=no
keep=no
seconds=300
targets=()

say() { printf '== %s\n' "$*"; }

stop() {
    printf '%s\n' "$*" >&2
    exit 2
}

read_arguments() {
    while (($#)); do
        case $1 in
        --folder) folder=${2:?--folder needs a folder} && shift ;;
        --as)
            case ${2:-} in
            root | user) accounts=("$2") ;;
            both) accounts=(user root) ;;
            *) stop "--as takes root, user or both" ;;
            esac
            shift
            ;;
        --worktree) worktree=yes ;;
        --keep) keep=yes ;;
        --seconds) seconds=${2:?--seconds needs a number} && shift ;;
        -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" && exit 0 ;;
        -*) stop "unknown option $1" ;;
        *) targets+=("$1") ;;
        esac
        shift
    done
    ((${#targets[@]})) || targets=(test run)
}

# ---- the trees ------------------------------------------------------------------------------------------------------

# Where this machine's apt gets Debian 12; empty when its sources name none, and debootstrap then knows.
mirror() {
    apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
        awk '$2 == "bookworm" && $3 == "main" { print $1; exit }'
}

make_base() {
    local base=$folder/base making=$folder/base.unfinished from
    [[ -d $base ]] && return
    from=$(mirror)
    say "making a minimal Debian 12 in $base"
    remove "$making"
    # shellcheck disable=SC2086 # an empty mirror must be no argument at all
    debootstrap --variant=minbase --include=python3,make,git,ca-certificates bookworm "$making" $from >"$folder/debootstrap.log" 2>&1 ||
        stop "debootstrap failed; see $folder/debootstrap.log"
    carry_apt "$making"
    carry_pip_and_certificates "$making"
    chroot "$making" useradd --create-home --shell /bin/sh "$CLERK"
    # A fresh image has no package lists: setting up must fetch them.
    rm -rf "$making"/var/lib/apt/lists/* "$making"/var/cache/apt/archives/*.deb
    mv "$making" "$base"
}

carry_apt() {
    local tree=$1 file
    rm -f "$tree/etc/apt/sources.list"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} /etc/apt/apt.conf \
        /etc/apt/keyrings/* /etc/apt/trusted.gpg /etc/apt/trusted.gpg.d/* /usr/share/keyrings/*; do
        carry "$tree" "$file"
    done
    # Hooks call programs that a minimal system lacks.
    for file in /etc/apt/apt.conf.d/*; do
        grep -qE 'Invoke|Pre-Install' "$file" || carry "$tree" "$file"
    done
}

carry_pip_and_certificates() {
    local tree=$1 file
    for file in /etc/pip.conf /etc/xdg/pip/* /usr/local/share/ca-certificates/* /etc/ssl/certs/ca-certificates.crt; do
        carry "$tree" "$file"
    done
}

# carry TREE FILE: the same file at the same place, if there is one.
carry() {
    [[ -f $2 ]] || return 0
    mkdir -p "$1$(dirname "$2")"
    cp -L "$2" "$1$2"
}

# Never across a mount, whatever went wrong before.
remove() { rm -rf --one-file-system "$1"; }

make_tree() {
    local tree=$1 home=$2 owner=$3
    remove "$tree"
    cp -a --reflink=auto "$folder/base" "$tree"
    cp -L /etc/resolv.conf /etc/hosts "$tree/etc/"
    if [[ $worktree == yes ]]; then
        mkdir "$tree$home/stopwell"
        git -C "$repository" ls-files -coz --exclude-standard | (cd "$repository" && tar -c --null -T - --ignore-failed-read) |
            tar -x -C "$tree$home/stopwell"
    else
        git clone --quiet --no-local "$repository" "$tree$home/stopwell"
    fi
    chroot "$tree" chown -R "$owner:$owner" "$home/stopwell"
    mount -t proc proc "$tree/proc"
    mkdir -p "$tree/dev/shm"
    mount -t tmpfs -o mode=1777 tmpfs "$tree/dev/shm"
}

# ---- the tries ------------------------------------------------------------------------------------------------------

# inside TREE ACCOUNT COMMAND: runs a line of shell with the few variables that a fresh login would have.
inside() {
    local tree=$1 account=$2 command=$3 home=/root name
    [[ $account == root ]] || home=/home/$account
    local environment=(HOME="$home" USER="$account" LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
    for name in $(compgen -e); do
        case $name in
        PIP_FIND_LINKS) ;; # folders of this machine
        PIP_* | SSL_CERT_FILE | REQUESTS_CA_BUNDLE | *_proxy | *_PROXY | DISPLAY) environment+=("$name=${!name}") ;;
        esac
    done
    chroot --userspec="$account:$account" "$tree" /usr/bin/env -i "${environment[@]}" /bin/sh -c "$command"
}

# try_target TREE ACCOUNT TARGET: types make; when it asks for a line to be typed as root, types that and make again.
try_target() {
    local tree=$1 account=$2 target=$3 log=$1.log code typed line limit=
    # only a window stays open; the text of a try without a screen ends by itself, however long setting up takes
    if [[ $target == run && -n ${DISPLAY:-} ]]; then limit="timeout $seconds"; fi
    for typed in no yes; do
        say "as $account: make $target"
        code=0
        inside "$tree" "$account" "cd ~/stopwell && exec $limit make $target" 2>&1 | tee "$log" || code=${PIPESTATUS[0]}
        # A window stays open until it is closed; being asked to go is its good end.
        if ((code == 124)) && [[ -n ${DISPLAY:-} && $target == run ]]; then code=0; fi
        ((code)) || return 0
        line=$(sed -n '/^    .*apt-get install/s/^    //p' "$log" | tail -n 1)
        [[ $typed == no && $account != root && -n $line ]] || return 1
        say "as root: $line"
        inside "$tree" root "$line" >"$log" 2>&1 || { cat "$log" && return 1; }
    done
}

told_version() {
    local tried
    tried=$(git -C "$repository" describe --always)
    if [[ $worktree == yes ]]; then tried="$tried and what stands in the worktree"; fi
    printf '%s' "$tried"
}

try_all() {
    local who tree account home target results=() failed=0
    for who in "${accounts[@]}"; do
        tree=$folder/as-$who
        if [[ $who == root ]]; then account=root home=/root; else account=$CLERK home=/home/$CLERK; fi
        make_tree "$tree" "$home" "$account"
        for target in "${targets[@]}"; do
            if try_target "$tree" "$account" "$target"; then
                results+=("passed: make $target as $account")
            else
                results+=("FAILED: make $target as $account")
                failed=1
            fi
        done
        umount "$tree/dev/shm" "$tree/proc"
        [[ $keep == yes ]] || remove "$tree"
    done
    printf '\n%s\n' "in a clean Debian 12, $(told_version):"
    printf '  %s\n' "${results[@]}"
    return "$failed"
}

read_arguments "$@"
if [[ -z ${STOPWELL_IN_NAMESPACE:-} ]]; then
    ((EUID == 0)) || stop "A Debian tree can only be made and entered by root."
    for program in debootstrap git unshare chroot; do
        command -v "$program" >/dev/null || stop "$program is missing: apt-get install debootstrap git util-linux coreutils"
    done
    mkdir -p "$folder"
    STOPWELL_IN_NAMESPACE=yes exec unshare --mount --pid --fork --kill-child "${BASH_SOURCE[0]}" "$@"
fi
folder=$(cd "$folder" && pwd -P)
make_base
try_all
