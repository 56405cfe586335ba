import { Registry } from 'prom-client';
import t from 'tap';
import type { Engine, Installation } from '../../../control-plane/health/installation.js';
import { registerInstallationMetrics } from '../../../control-plane/health/installation-metrics.js';

const engine = (status: Engine['status']): Engine => ({
  id: 'e',
  roles: ['redirect', 'background', 'webhooks'],
  status,
  heartbeat_at: '2026-11-24T10:00:00.000Z',
  feed_lag: 0,
  behind_since: null,
  processes: null,
  parts: null,
  spool: null,
});

const WELL: Installation = {
  status: 'ok',
  checked_at: '2026-11-24T10:00:00.000Z',
  problems: [],
  control_plane: { parts: [{ part: 'database', ok: true, reason: '' }] },
  stored: {
    feed: { position: 9, unnumbered: 3, unnumbered_since: '2026-11-24T09:59:58.500Z' },
    clicks: { uncounted: 12, uncounted_since: '2026-11-24T09:59:30.000Z' },
    engines: [engine('ok'), engine('ok'), engine('silent')],
  },
};

const AWAY: Installation = {
  ...WELL,
  status: 'degraded',
  problems: [{ what: 'control plane: database fails', since: null }],
  control_plane: { parts: [{ part: 'database', ok: false, reason: 'ECONNREFUSED' }] },
  stored: null,
};

t.test('one page of metrics reads the installation once, and shows parts, engines and backlogs', async (t) => {
  const registry = new Registry();
  let reads = 0;
  const read = async () => {
    reads++;
    return WELL;
  };
  registerInstallationMetrics(registry, { read, onFailure: (error) => t.error(error) });
  const page = await registry.metrics();
  t.equal(reads, 1);
  for (const line of [
    'control_plane_part_ok{part="database"} 1',
    'installation_problems 0',
    'installation_engines{status="ok"} 2',
    'installation_engines{status="silent"} 1',
    'installation_engines{status="failing"} 0',
    'installation_feed_unnumbered_age_seconds 1.5',
    'installation_clicks_uncounted 12',
    'installation_clicks_uncounted_age_seconds 30',
  ])
    t.ok(page.split('\n').includes(line), line);
});

t.test('unknown figures have no series, neither with the former value nor with 0', async (t) => {
  const registry = new Registry();
  const answers: (Installation | Error)[] = [WELL, AWAY, new Error('lost between two questions')];
  let nowMs = 0;
  const failures: unknown[] = [];
  registerInstallationMetrics(registry, {
    async read() {
      const answer = answers.shift() as Installation | Error;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onFailure: (error) => failures.push(error),
    now: () => nowMs,
  });
  await registry.metrics();
  nowMs = 1000;
  const away = await registry.metrics();
  t.match(away, 'control_plane_part_ok{part="database"} 0\n');
  t.match(away, 'installation_problems 1\n');
  t.notMatch(away, /^installation_(engines|feed|clicks)\S* \d/m);
  t.same(failures, []);
  nowMs = 2000;
  t.notMatch(await registry.metrics(), /^(control_plane_part_ok|installation_)\S* \d/m, 'a failed reading gives no series');
  t.match(failures, [{ message: 'lost between two questions' }], 'the failure is reported once');
});
