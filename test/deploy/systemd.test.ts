import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { check, hasProgram } from '../support/programs.js';
import { ROOT, readTreeFile } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const UNITS = readdirSync(join(ROOT, 'deploy/systemd')).map((name) => `deploy/systemd/${name}`);
const SERVICES = UNITS.filter((unit) => unit.endsWith('.service'));

/** In tenths of systemd's own measure: 3.0 is half of what systemd calls OK. */
const EXPOSURE_MAX = '30';

const MISSING_PROGRAM = /^\S+: Command \S+ is not executable: No such file or directory\n/gm;

t.test('systemd accepts the units', async (t) => {
  if (!hasProgram(t, 'systemd-analyze', 'systemd')) return;
  for (const unit of UNITS) {
    const { status, output } = check('systemd-analyze', ['verify', '--man=no', join(ROOT, unit)]);
    // systemd reports an unknown key as a line of output with status 0. A program that this machine lacks is not a fault of the unit.
    const faults = output.replaceAll(MISSING_PROGRAM, '');
    t.same([status, faults], [faults === output ? 0 : 1, ''], unit);
  }
});

t.test('systemd measures the exposure of each service as less than 3', async (t) => {
  if (!hasProgram(t, 'systemd-analyze', 'systemd')) return;
  for (const unit of SERVICES) {
    const { status, output } = check('systemd-analyze', ['security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, join(ROOT, unit)]);
    t.equal(status, 0, output);
  }
});

/** The words of all values of a directive in a unit, as systemd reads them. */
function words(unit: string, directive: string): readonly string[] {
  const lines = readTreeFile(`deploy/systemd/${unit}`).matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'));
  return [...lines].flatMap(([, value = '']) => value.split(' '));
}

t.test('the migration starts first and has no time limit, and a failed one prevents no other start', async (t) => {
  const [unit, migrate] = ['link-service-control-plane.service', 'link-service-migrate.service'];
  t.ok(words(unit, 'After').includes(migrate));
  t.ok(words(unit, 'Wants').includes(migrate), 'the migration is wanted and not required');
  for (const bond of ['Requires', 'Requisite', 'BindsTo', 'PartOf'])
    for (const each of SERVICES)
      t.notMatch(readTreeFile(each), new RegExp(`^${bond}=`, 'm'), `${each}: no unit ends because another one fails`);
  t.same(words(migrate, 'Restart'), ['on-failure']);
  t.same(words(migrate, 'TimeoutStartSec'), ['infinity']);
  t.match(words(migrate, 'ExecStart').join(' '), /dist\/deploy\/command-line\/linkd\.js migrate$/);
});

t.test('an engine does not wait for the migration, and serving units are restarted without a limit', async (t) => {
  const engine = 'link-service-engine@.service';
  t.notOk(words(engine, 'After').includes('link-service-migrate.service'), 'the engine does not start after the migration');
  for (const unit of [engine, 'link-service-control-plane.service']) t.same(words(unit, 'StartLimitIntervalSec'), ['0'], unit);
});

t.test('a service has time to drain and a memory limit', async (t) => {
  for (const unit of SERVICES.filter((name) => !/migrate|backup/.test(name))) {
    t.match(readTreeFile(unit), /^TimeoutStopSec=20$/m, unit);
    t.match(readTreeFile(unit), /^MemoryHigh=\d+%$/m, unit);
  }
});

t.test('each timer has its service, which has no time limit', async (t) => {
  const timers = UNITS.filter((unit) => unit.endsWith('.timer'));
  t.equal(timers.length, 4);
  for (const timer of timers) {
    const service = timer.replace(/(@\w+)?\.timer$/, (_, instance) => (instance === undefined ? '.service' : '@.service'));
    t.match(readTreeFile(service), /^TimeoutStartSec=infinity$/m, timer);
    t.match(readTreeFile(service), /^User=postgres$/m, 'pgBackRest connects as the user of PostgreSQL');
    t.match(readTreeFile(timer), /^Persistent=true$/m);
  }
});

t.test('a successful backup writes its time as a metric for node_exporter, and a failure to write it is ignored', async (t) => {
  for (const [service, instance, kind] of [
    ['link-service-backup@.service', 'diff', 'diff'],
    ['link-service-backup-verify.service', '', 'verify'],
  ] as const) {
    const [, command = ''] = /^ExecStartPost=-\+\/bin\/sh -c '(.*)'$/m.exec(readTreeFile(`deploy/systemd/${service}`)) ?? [];
    // Replaces specifiers and escapes as systemd does.
    const script = command.replaceAll('%i', instance).replaceAll('%%', '%').replaceAll('$$', '$').replaceAll('\\\\', '\\');
    const folder = temporaryFolder(t);
    const before = Math.floor(Date.now() / 1000);
    const { status, output } = check('sh', ['-c', script], { ...process.env, TEXTFILES: folder });
    t.equal(status, 0, output);
    t.same(readdirSync(folder), [`link-service-${kind}.prom`]);
    const file = join(folder, `link-service-${kind}.prom`);
    const [, at] =
      new RegExp(`^link_service_backup_success_timestamp_seconds\\{kind="${kind}"\\} (\\d+)\n$`).exec(readFileSync(file, 'utf8')) ?? [];
    t.ok(Number(at) >= before && Number(at) <= Date.now() / 1000, readFileSync(file, 'utf8'));
    t.equal(statSync(file).mode & 0o777, 0o644, 'node_exporter may read the file');
  }
});

t.test('files that a service writes are private to its user', async (t) => {
  t.ok(SERVICES.length >= 3);
  for (const unit of SERVICES) t.match(readTreeFile(unit), /^UMask=0077$/m, unit);
});
