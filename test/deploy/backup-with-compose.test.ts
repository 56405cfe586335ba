import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type BackupMachine, blocksOf, hasBackupPrograms, secondOf, startMachine } from '../support/backup-machine.js';
import { replaced } from '../support/deployed-files.js';
import { ROOT, readTreeFile } from '../support/source-tree.js';

const PAGE = 'deploy/backup.md';
const BLOCKS = blocksOf(PAGE);
const block = (name: string): string => BLOCKS.get(name) ?? `exit 1 # ${PAGE} has no ${name}`;

/**
 * Replaces Docker: commands in the container of PostgreSQL run on this machine as PostgreSQL's user, and the container itself is
 * the server of this machine. The calls are recorded.
 */
const DOCKER = `#!/bin/bash
set -eu
echo "$*" >>"$CALLS"
as_postgres() {
  if [ "$(id -u)" = 0 ]; then set -- setpriv --reuid="$PGOWNER" --regid="$(id -g "$PGOWNER")" --clear-groups "$@"; fi
  cd / && "$@"
}
case "$*" in
'compose exec -T --user postgres postgres '*) as_postgres "\${@:7}" ;;
'compose run -T --rm --no-deps --user postgres --entrypoint bash postgres '*)
  if as_postgres pg_ctl -D "$PGDATA" status >/dev/null; then exit 1; fi
  as_postgres bash "\${@:11}"
  ;;
'compose stop '*postgres) as_postgres pg_ctl -D "$PGDATA" -w -m fast stop ;;
'compose up '*) as_postgres pg_ctl -D "$PGCONFIG" -w -l "$PGDATA/server.log" start || true ;;
*) exit 1 ;;
esac
`;

/** Prepares the machine. Returns the variables of the page's commands. */
function withCompose({ variables, folder, run }: BackupMachine) {
  const etc = folder('compose');
  const repository = folder('repository');
  const changes = [
    ['repo1-path=/var/lib/pgbackrest', `repo1-path=${repository}`],
    ['lock-path=/tmp/pgbackrest', `lock-path=${variables.PGHOST}/lock`],
    ['pg1-path=/var/lib/postgresql/18/docker', `pg1-path=${variables.PGDATA}`],
    ['pg1-socket-path=/var/run/postgresql', `pg1-socket-path=${variables.PGHOST}\npg1-port=${variables.PGPORT}`],
  ] as const;
  const text = changes.reduce((text, [words, by]) => replaced(text, words, by), readTreeFile('deploy/pgbackrest/pgbackrest.conf'));
  writeFileSync(join(etc, 'pgbackrest.conf'), text);
  const calls = join(folder('calls'), 'docker');
  writeFileSync(calls, '');
  chmodSync(calls, 0o666);
  writeFileSync(join(variables.BIN, 'docker'), DOCKER);
  // Calls the program under the path that the page uses, in a folder of the test.
  const release = join(etc, 'release');
  mkdirSync(join(release, 'deploy'), { recursive: true });
  writeFileSync(join(release, 'deploy/make-secrets'), `#!/bin/sh\nexec '${join(ROOT, 'deploy/make-secrets')}' '${join(etc, 'secrets')}'\n`);
  for (const program of [join(variables.BIN, 'docker'), join(release, 'deploy/make-secrets')]) chmodSync(program, 0o755);
  run('createuser --superuser link_service');
  return {
    release,
    more: {
      CALLS: calls,
      PGBACKREST_CONFIG: join(etc, 'pgbackrest.conf'),
      PGBACKREST_CONFIG_INCLUDE_PATH: join(etc, 'conf.d'),
      PGBACKREST_LOG_PATH: '/nonexistent',
      PGBACKREST_LOCK_PATH: join(variables.PGHOST, 'lock'),
      SECRETS: join(etc, 'secrets'),
    },
  };
}

t.test(
  'with Compose a backup is made by commands in the container, and restored by one in a second container while the server is stopped',
  async (t) => {
    if (!hasBackupPrograms(t)) return;
    const machine = await startMachine(t);
    const { run, count, folder } = machine;
    const { release, more } = withCompose(machine);
    // Compose mounts the secret there, where PostgreSQL's user may read it.
    const mount = `install -m 444 "$SECRETS/pgbackrest-passphrase" '${folder('compose', 'conf.d')}/passphrase.conf'`;
    const compose = (name: string, and: Readonly<Record<string, string>> = {}) =>
      run(
        block(name)
          .replace('# as root\n', `# as root\ncd '${release}'\n`)
          .replace('deploy/make-secrets\n', `deploy/make-secrets\n${mount}\n`),
        {
          ...more,
          ...and,
        },
      );
    compose('compose-archive');
    run('psql -d link_service -c "CREATE TABLE words AS SELECT 1 AS word"');
    compose('compose-backup');
    const target = await secondOf(machine);
    run('psql -d link_service -c "INSERT INTO words VALUES (2)" -c "SELECT pg_switch_wal()"');
    t.equal(await count('words'), 2);
    compose('compose-backup', { TYPE: 'incr' });
    compose('compose-restore', { TARGET: target });
    t.equal(await count('words'), 1);
    t.match(run('pgbackrest --stanza=link-service info', more), /cipher: aes-256-cbc[\s\S]*full backup[\s\S]*incr backup/);

    compose('compose-backup');
    t.comment('the volume is lost: its folder is gone');
    run(`pg_ctl -D "$PGDATA" -w -m immediate stop && mv "$PGDATA" "$PGDATA.lost"`);
    const everything = block('compose-restore').replace(' --type=time --target="$0" --target-action=promote', '');
    run(everything.replace('docker compose stop control-plane postgres\n', ''), more);
    t.equal(await count('words'), 1);
  },
);
