#!/bin/sh
# Installs from Debian (or Ubuntu) what `npm run bench -- redirect` compares with, where it is missing: nginx, HAProxy, wrk.
# They are installed as programs alone: the bench starts its own copies on free ports and ends them; no service is begun.
set -eu

missing=""
for program in nginx haproxy wrk; do
  if ! PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null; then missing="$missing $program"; fi
done
if [ -z "$missing" ]; then
  echo "nginx, haproxy and wrk are installed"
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "as root:  apt-get install --no-install-recommends$missing" >&2
  exit 1
fi
if ! command -v apt-get >/dev/null; then
  echo "there is no apt-get here; install by hand:$missing" >&2
  exit 1
fi

# Debian's packages start their services when they are installed, unless this file says no (invoke-rc.d(8)).
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
fi
apt-get update -q
# shellcheck disable=SC2086
apt-get install -q -y --no-install-recommends $missing
