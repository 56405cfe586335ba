import { controlPlaneSettings } from '../../control-plane/settings.js';
import { engineSettings } from '../../engine/settings.js';
import { readSettings } from '../../shared/base/settings.js';

/**
 * The health check of an image: `health.js engine|control-plane live|ready`. Exits with 0, or with 1 and a line with the reason. `live`
 * checks whether the process has to be replaced, `ready` whether it should get requests. The readiness of the engine is that of its link
 * hosts' port, which keeps serving without PostgreSQL.
 */
const PORTS = {
  engine: { live: engineSettings.adminPort, ready: engineSettings.port },
  'control-plane': { live: controlPlaneSettings.adminPort, ready: controlPlaneSettings.adminPort },
} as const;

/** Within the timeout of the HEALTHCHECK lines, so that the reason is shown. */
const TIMEOUT_MS = 3_000;

/** Returns the reason why the check failed; '' if it succeeded. */
export async function askHealth(parameters: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const [half, question, more] = parameters;
  if ((half !== 'engine' && half !== 'control-plane') || (question !== 'live' && question !== 'ready') || more !== undefined)
    return 'usage: health.js engine|control-plane live|ready';
  try {
    const { port } = readSettings({ port: PORTS[half][question] }, environment);
    const response = await fetch(`http://127.0.0.1:${port}/health/${question}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? '' : `${response.status} ${await response.text()}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? `${message}: ${cause.message}` : message;
  }
}

if (import.meta.filename === process.argv[1]) {
  const reason = await askHealth(process.argv.slice(2), process.env);
  if (reason !== '') console.error(reason);
  process.exitCode = reason === '' ? 0 : 1;
}
