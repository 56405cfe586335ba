import { autocannonClient } from './load/autocannon-client.js';
import { samplePaths, writeLinks } from './load/links.js';
import { type Measurement, measure } from './load/measure.js';
import { redirectContender } from './load/servers.js';
import { wrkClient, wrkIsInstalled } from './load/wrk-client.js';
import { type RedirectBench, SCENARIOS } from './redirect.js';

export type ProcessesBench = Pick<RedirectBench, 'dataDir' | 'links' | 'rounds' | 'seconds' | 'warmUpSeconds' | 'onStep'>;

/**
 * Two redirect processes on one port, compared with one. Nothing is pinned to a core: with two cores the client takes its
 * part of both, and what is left over for the second process is the most that a second one can add.
 */
export async function runProcesses({ dataDir, links, ...plan }: ProcessesBench): Promise<readonly Measurement[]> {
  await writeLinks(dataDir, links, (written) => plan.onStep(written, links, 'links written'));
  const shared = { dataDir, trustedHeader: true } as const;
  return measure({
    ...plan,
    contenders: [
      redirectContender({ ...shared, key: 'one', name: 'one redirect process', slot: 0 }),
      redirectContender({ ...shared, key: 'two', name: 'two redirect processes on one port', slot: 1, processes: 2 }),
    ],
    scenarios: SCENARIOS,
    clients: [wrkIsInstalled() ? wrkClient : autocannonClient],
    paths: samplePaths(links),
    cores: { server: null, client: null },
  });
}
