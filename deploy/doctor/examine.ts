import type { Examination, Finding } from '../../control-plane/cli/finding.js';
import { reasonOf } from '../../control-plane/db/database.js';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { within } from '../../shared/base/within.js';
import { clickStoreFindings } from './click-store.js';
import { databaseAway, databaseFindings } from './database.js';
import { type Installation, readInstallation } from './database-facts.js';
import { unchecked } from './findings.js';
import { machineFindings } from './machine.js';
import { readMachineFacts } from './machine-facts.js';
import { networkFindings } from './network.js';
import { readNetworkFacts } from './network-facts.js';
import { poolFindings, readPoolFacts } from './pools.js';
import { settingsFindings, withReadableSecrets } from './settings.js';

/** A disk or a network file system may hang, and so may a database that accepted the connection. */
const MACHINE_TIMEOUT_MS = 15_000;
const DATABASE_TIMEOUT_MS = 20_000;

/** Everything that `linkd doctor` checks, as a process with these settings would find it. Takes 50 s at most. */
export async function examine(examination: Examination, given: NodeJS.ProcessEnv, nowMs: number): Promise<readonly Finding[]> {
  const environment = withReadableSecrets(given);
  const machine = await within(MACHINE_TIMEOUT_MS, readMachineFacts(environment));
  const installation = await lookAtDatabase(examination, environment);
  const isThere = 'database' in installation;
  const [pools, network] = await Promise.all([
    readPoolFacts(environment, isThere ? installation.server : null),
    readNetworkFacts({
      environment,
      nowMs,
      outboundTarget: examination.outboundTarget,
      hosts: isThere ? installation.hosts : null,
    }),
  ]);
  return [
    ...settingsFindings(given),
    ...(machine === null ? [unchecked('machine', 'The file system of DATA_DIR did not reply in time.')] : machineFindings(machine)),
    ...(isThere ? databaseFindings(installation.database) : databaseAway(installation.reason)),
    ...poolFindings(pools),
    ...(await clickStoreFindings(environment)),
    ...networkFindings(network),
  ];
}

async function lookAtDatabase(
  { engines, controlPlanes }: Examination,
  environment: NodeJS.ProcessEnv,
): Promise<Installation | { readonly reason: string }> {
  const url = environment[controlPlaneSettings.databaseUrl.name] ?? '';
  if (url === '') return { reason: 'DATABASE_URL is not set' };
  try {
    const installation = await within(DATABASE_TIMEOUT_MS, readInstallation(url, { environment, engines, controlPlanes }));
    return installation ?? { reason: `no reply within ${DATABASE_TIMEOUT_MS / 1000} s` };
  } catch (error) {
    if (error instanceof TypeError && !('code' in error)) throw error;
    return { reason: reasonOf(error) };
  }
}
