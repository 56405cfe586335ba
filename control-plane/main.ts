import { keepHeapTrimmed } from '../shared/base/c-heap.js';
import { createLogger } from '../shared/base/log.js';
import { keepFilesPrivate } from '../shared/base/private-files.js';
import { withSecretsOfFiles } from '../shared/base/secret-files.js';
import { describeSettings, readSettings, SettingError } from '../shared/base/settings.js';
import { startTracing } from '../shared/tracing/open-telemetry.js';
import { DatabaseUnavailableError, reasonOf } from './db/database.js';
import { controlPlaneSettings } from './settings.js';
import { startControlPlane } from './start.js';

/** Entry point of the control plane: the REST API on one port, health and metrics on another one. */
const USAGE = `Serves the REST API. Settings come from the environment:

${describeSettings([controlPlaneSettings])}`;

async function main(parameters: readonly string[]): Promise<void> {
  if (parameters.includes('--help')) {
    console.log(USAGE);
    return;
  }
  if (parameters.length > 0) throw new SettingError(`unknown flag ${parameters[0]}; see --help`);
  keepFilesPrivate();
  const settings = readSettings(controlPlaneSettings, withSecretsOfFiles(controlPlaneSettings, process.env));
  const log = createLogger('control-plane', settings.logLevel);
  keepHeapTrimmed();
  const tracing = await startTracing(settings, { name: 'control-plane', log });
  const controlPlane = await startControlPlane(settings, log);
  log.info({ code: 'control_plane_serving', port: controlPlane.port, admin_port: controlPlane.adminPort }, 'serving');
  // Tells the ports to a parent that let the system choose them.
  process.send?.({ type: 'listening', port: controlPlane.port, admin_port: controlPlane.adminPort });
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ code: 'control_plane_draining', signal }, 'draining');
    const stopped = controlPlane.stop().then(() => tracing?.stop());
    stopped.then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ code: 'drain_failed', err: error }, 'the drain failed');
        process.exit(1);
      },
    );
  };
  // SIGHUP means that a terminal was closed. Node.js would end at once, also under nohup.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  // Prints one line if a setting, a port or the database is the reason, and the stack if it is a fault of the program.
  const expected =
    error instanceof SettingError || error instanceof DatabaseUnavailableError || (error instanceof Error && 'code' in error);
  console.error(expected ? `control-plane: ${reasonOf(error)}` : error);
  process.exit(1);
}
