import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import type { Finding } from '../../../control-plane/cli/finding.js';
import { isInRange, type MachineFacts, machineFindings, type UwsFact } from '../../../deploy/doctor/machine.js';
import { openFilesMax, readMachineFacts } from '../../../deploy/doctor/machine-facts.js';
import { engineSettings } from '../../../engine/settings.js';
import { readTreeFile } from '../../support/source-tree.js';
import { UWS_MISSING } from '../../support/uws.js';
import { repairFault } from './repair-rule.js';

const MIB = 1024 ** 2;
const WELL: MachineFacts = {
  nodeVersion: '22.12.0',
  nodeRange: '>=20.18.0 <21 || >=22.12.0 <23',
  packages: [{ name: 'pg', wanted: '8.0.0', installed: '8.0.0' }],
  dataDir: '/data',
  isEngineHere: true,
  dataDirFault: null,
  diskFreeBytes: 10_000 * MIB,
  spoolBytesMax: 2048 * MIB,
  openFilesMax: 65_536,
  platform: 'linux',
  sharedMemoryFreeBytes: 512 * MIB,
  nodeAbi: '127',
  listener: 'uws',
  uws: { version: '20.0.8', fault: '', note: '', loads: true },
  kernel: '6.1.0-13-amd64',
  migratesHandshakes: true,
  trackedConnections: { count: 1_000, max: 262_144 },
};

const uws = (different: Partial<UwsFact>) => ({ uws: { version: '20.0.8', fault: '', note: '', loads: true, ...different } });

const CASES: readonly [Partial<MachineFacts>, string, string, RegExp, RegExp | null][] = [
  [{}, 'node', 'ok', /22\.12\.0 is supported/, null],
  [{ nodeVersion: '22.11.9' }, 'node', 'failure', /22\.11\.9 is not supported/, />=22\.12\.0 <23/],
  [{}, 'packages', 'ok', /version of package\.json/, null],
  [{ packages: [{ name: 'pg', wanted: '8.0.0', installed: '7.9.0' }] }, 'packages', 'failure', /pg 7\.9\.0 instead of 8\.0\.0/, /npm ci/],
  [{ packages: [{ name: 'pg', wanted: '8.0.0', installed: null }] }, 'packages', 'failure', /pg missing/, /npm ci/],
  [{}, 'data_dir', 'ok', /\/data is writable/, null],
  [{ dataDirFault: 'EACCES' }, 'data_dir', 'failure', /EACCES/, /DATA_DIR/],
  [{ isEngineHere: false, dataDirFault: 'EROFS' }, 'data_dir', 'unchecked', /no engine on this machine/, null],
  [{ isEngineHere: false, diskFreeBytes: 0 }, 'disk', 'unchecked', /no engine on this machine/, null],
  [{}, 'disk', 'ok', /10000 MiB are free/, null],
  [{ diskFreeBytes: 2047 * MIB }, 'disk', 'warning', /may take 2048 MiB/, /SPOOL_BYTES_MAX/],
  [{ diskFreeBytes: 255 * MIB }, 'disk', 'failure', /255 MiB/, /DATA_DIR/],
  [{ diskFreeBytes: null }, 'disk', 'unchecked', /could not be read/, null],
  [{}, 'open_files', 'ok', /65536 files/, null],
  [{ openFilesMax: Number.POSITIVE_INFINITY }, 'open_files', 'ok', /any number of files/, null],
  [{ openFilesMax: 4096 }, 'open_files', 'warning', /4096/, /LimitNOFILE/],
  [{ openFilesMax: 1023 }, 'open_files', 'failure', /too few/, /ulimit -n/],
  [{ openFilesMax: null }, 'open_files', 'unchecked', /could not be read/, null],
  [{}, 'shared_memory', 'ok', /512 MiB/, null],
  [{ sharedMemoryFreeBytes: 63 * MIB }, 'shared_memory', 'warning', /63 MiB/, /shm-size/],
  [{ sharedMemoryFreeBytes: null }, 'shared_memory', 'unchecked', /could not be read/, null],
  [{ platform: 'darwin', sharedMemoryFreeBytes: null }, 'shared_memory', 'ok', /none is needed/, null],
  [{}, 'uwebsockets', 'ok', /known checksum and loads/, null],
  [uws({ fault: 'uws_x.node of uWebSockets.js is not the known file; install' }), 'uwebsockets', 'failure', /uws_x\.node/, /npm ci/],
  [uws({ loads: null }), 'uwebsockets', 'unchecked', /in time/, null],
  [{ uws: null }, 'uwebsockets', 'failure', /not installed/, /npm ci/],
  [uws({ note: 'uWebSockets.js 20.66.0 was installed from its authors' }), 'uwebsockets', 'ok', /from its authors; it loads/, null],
  [uws({ loads: false }), 'uwebsockets', 'warning', /does not load under Node\.js 22\.12\.0.*node:http/, /^ENGINE_LISTENER=node/],
  [
    { ...uws({ loads: false }), nodeVersion: '24.0.0', nodeAbi: '137' },
    'uwebsockets',
    'warning',
    /Node\.js 24\.0\.0/,
    /^npm install --no-save "uWebSockets\.js@github:uNetworking\/uWebSockets\.js#v20\.52\.0"/,
  ],
  [{ ...uws({ loads: false }), listener: 'node' }, 'uwebsockets', 'ok', /ENGINE_LISTENER is node/, null],
  [{}, 'kernel', 'ok', /hands new connections/, null],
  [{ migratesHandshakes: false }, 'kernel', 'warning', /does not pass/, /tcp_migrate_req=1/],
  [{ kernel: '4.18.0', migratesHandshakes: null }, 'kernel', 'ok', /new enough/, null],
  [{ kernel: '4.17.9' }, 'kernel', 'failure', /older than 4\.18/, /^apt-get /],
  [{ platform: 'darwin' }, 'kernel', 'ok', /darwin/, null],
  [{}, 'conntrack', 'ok', /1000 of at most 262144/, null],
  [{ trackedConnections: { count: 768, max: 1024 } }, 'conntrack', 'warning', /once it is full/, /nf_conntrack_max=2048/],
  [{ trackedConnections: { count: 1024, max: 1024 } }, 'conntrack', 'failure', /are dropped/, /nf_conntrack_max=2048/],
  [{ trackedConnections: null }, 'conntrack', 'unchecked', /not loaded/, null],
];

t.test('each fact about a machine gives its finding and repair', async (t) => {
  for (const [different, check, status, text, repair] of CASES) {
    const finding = machineFindings({ ...WELL, ...different }).find((one) => one.check === check);
    t.match(finding, { status, text }, JSON.stringify(different));
    if (repair === null) t.equal(finding?.repair, null);
    else t.match(finding?.repair, repair);
    t.equal(finding && repairFault(finding), '', JSON.stringify(different));
  }
  t.same(
    [...new Set(CASES.map(([, check]) => check))].sort(),
    machineFindings(WELL)
      .map(({ check }) => check)
      .sort(),
    'every check has a case',
  );
});

t.test('a version is compared with a range as in package.json', async (t) => {
  for (const [version, isIn] of [
    ['20.17.9', false],
    ['20.18.0', true],
    ['21.0.0', false],
    ['22.12.0', true],
    ['23.0.0', false],
  ] as const)
    t.equal(isInRange(version, WELL.nodeRange), isIn, version);
  t.equal(isInRange('20.18.0', '~20'), false, 'no version is in a range of unknown form');
});

t.test('the limit of open files is read from the text of the kernel', async (t) => {
  t.equal(openFilesMax('Max processes  1 2 processes\nMax open files            1024                 524288               files\n'), 1024);
  t.equal(openFilesMax('Max open files            unlimited            unlimited            files\n'), Number.POSITIVE_INFINITY);
  t.equal(openFilesMax(null), null);
});

t.test('all facts of this machine are read, and a DATA_DIR that is a file is a fault', async (t) => {
  const dir = t.testdir({ file: '' });
  const facts = await readMachineFacts({ DATA_DIR: `${dir}/new/deeper` });
  t.equal(facts.isEngineHere, true);
  const path = '/proc/sys/net/netfilter/nf_conntrack_max';
  t.equal(facts.trackedConnections?.max ?? null, existsSync(path) ? Number(readFileSync(path, 'utf8')) : null);
  t.equal(facts.dataDirFault, null, 'a missing folder is judged by its nearest existing parent');
  t.match(facts.uws, { fault: '', note: '', loads: UWS_MISSING === '' });
  t.notOk(
    facts.packages.some(({ name }) => name === 'uWebSockets.js'),
    'uWebSockets.js is not checked, because another release may be installed on purpose',
  );
  t.same(
    facts.packages.filter(({ wanted, installed }) => wanted !== installed),
    [],
  );
  t.equal(isInRange(facts.nodeVersion, facts.nodeRange), true);
  t.equal((await readMachineFacts({ DATA_DIR: `${dir}/file` })).dataDirFault, 'ENOTDIR');
});

t.test('only the image of the engine sets DATA_DIR, and without a data folder no engine is assumed on the machine', async (t) => {
  const stages = readTreeFile('deploy/Dockerfile').split(/^(?=FROM )/m);
  const settingIt = stages.filter((stage) => /^ENV .*\bDATA_DIR=/m.test(stage)).map((stage) => / AS (\S+)\n/.exec(stage)?.[1]);
  t.same(settingIt, ['engine']);
  const before = process.cwd();
  process.chdir(t.testdir());
  t.teardown(() => process.chdir(before));
  t.equal((await readMachineFacts({})).isEngineHere, false);
  mkdirSync(engineSettings.dataDir.fallback);
  t.equal((await readMachineFacts({})).isEngineHere, true, 'the default data folder shows that an engine is here');
});

t.test('the repair for Node.js 24 is the command of README.md', async (t) => {
  const { repair } = machineFindings({ ...WELL, ...uws({ loads: false }), nodeAbi: '137' }).find(
    ({ check }) => check === 'uwebsockets',
  ) as Finding;
  t.match(readTreeFile('README.md'), repair?.split(', or ')[0]);
});
