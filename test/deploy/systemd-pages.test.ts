import { cpSync, existsSync, mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import t, { type Test } from 'tap';
import { check } from '../support/programs.js';
import { ROOT, readTreeFile } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A machine of its own: a root folder, and stand-ins for npm and systemctl that record how they are called. */
function machine(t: Test) {
  const root = temporaryFolder(t);
  for (const folder of ['opt', 'etc/systemd/system', 'programs', 'release']) mkdirSync(join(root, folder), { recursive: true });
  const calls = join(root, 'calls');
  writeFileSync(calls, '');
  for (const program of ['npm', 'systemctl'])
    writeFileSync(join(root, 'programs', program), `#!/bin/sh\necho "$PWD: ${program} $*" >>'${calls}'\n`, { mode: 0o755 });
  return {
    root,
    release: join(root, 'release'),
    /** Runs the commands of the page in a shell of their own, which ends at the first command that fails. */
    run(commands: string) {
      const below = commands.replaceAll(/(?<= )\/(?=opt\/|etc\/)/g, `${root}/`);
      const path = `${join(root, 'programs')}${delimiter}${process.env.PATH}`;
      return check('sh', ['-e', '-c', `cd '${join(root, 'release')}'\nPATH='${path}'\n${below}`]);
    },
    calls: () =>
      readFileSync(calls, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => line.replaceAll(root, '')),
  };
}

function blockBelow(page: string, heading: string): string {
  const section = readTreeFile(page).split(`\n${heading}\n`)[1] ?? '';
  return /\n```\n([\s\S]*?)\n```\n/.exec(section)?.[1] ?? '';
}

t.test('the commands of README.md install the service on a new machine with systemd', async (t) => {
  const { root, release, run, calls } = machine(t);
  cpSync(join(ROOT, 'deploy/systemd'), join(release, 'deploy/systemd'), { recursive: true });
  writeFileSync(join(release, 'settings'), 'DATABASE_URL=postgres:///x\n');
  const { status, output } = run(`umask 077\n${blockBelow('deploy/README.md', '## One host with systemd')}`);
  t.equal(status, 0, output);
  t.ok(existsSync(join(root, 'opt/link-service/current/deploy/systemd')), 'the release is in the folder that `current` leads to');
  t.equal(statSync(join(root, 'etc/link-service/settings')).mode & 0o777, 0o600);
  for (const folder of ['opt/link-service', 'opt/link-service/0.1.0/deploy/systemd'])
    t.equal(statSync(join(root, folder)).mode & 0o777, 0o755, `${folder} can be read by the users of the units`);
  t.notOk(existsSync(join(root, 'opt/link-service/current/settings')), 'the settings are not copied to where every user may read them');
  t.ok(existsSync(join(root, 'etc/systemd/system/link-service-migrate.service')));
  t.same(calls(), [
    '/opt/link-service/0.1.0: npm ci',
    '/opt/link-service/0.1.0: npm run build',
    '/release: systemctl daemon-reload',
    '/release: systemctl enable --now link-service-control-plane link-service-engine@0.1.0',
  ]);
});

t.test('linkd reads the settings of the service as the page of deployment calls it under systemd', async (t) => {
  const [, command = ''] = /^\| systemd \| `(node [^`]+)`/m.exec(readTreeFile('deploy/README.md')) ?? [];
  const settings = join(temporaryFolder(t), 'settings');
  writeFileSync(settings, 'DATABASE_URL=postgres://a:b@127.0.0.1:1/c?sslmode=disable&application_name=x\nSECRETS_KEYS=first:+/=\n');
  const here = command.replace('/etc/link-service/settings', settings);
  t.not(here, command);
  const { status, output } = check('sh', ['-c', `cd '${ROOT}' && env -u DATABASE_URL ${here} project list`]);
  t.equal(status, 4, output);
  t.match(output, 'PostgreSQL cannot be reached');
});

t.test('the commands of upgrade.md run the migration, then upgrade the control plane and then the engine', async (t) => {
  const { root, run, calls } = machine(t);
  mkdirSync(join(root, 'opt/link-service/2.1.0'), { recursive: true });
  const { status, output } = run(blockBelow('deploy/upgrade.md', '### With systemd'));
  t.equal(status, 0, output);
  t.equal(readlinkSync(join(root, 'opt/link-service/current')), '2.1.0');
  t.same(
    calls().map((line) => line.replace('/release: systemctl ', '')),
    [
      'start link-service-migrate',
      'restart link-service-control-plane',
      'start link-service-engine@2.1.0',
      'enable link-service-engine@2.1.0',
      'disable link-service-engine@2.0.0',
    ],
  );
});
