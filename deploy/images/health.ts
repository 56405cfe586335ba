import { controlPlaneSettings } from '../../control-plane/settings.js';
import { engineSettings } from '../../engine/settings.js';
import { readSettings } from '../../shared/base/settings.js';

/**
 * What an image's health check runs: `health.js engine|control-plane live|ready`. Ends with 0, or with 1 and a line of why.
 * `live` asks whether the process has to be replaced, `ready` whether requests should come to it. The engine's readiness
 * is that of its link hosts' port, which goes on serving without PostgreSQL.
 */
const PORTS = {
  engine: { live: engineSettings.adminPort, ready: engineSettings.port },
  'control-plane': { live: controlPlaneSettings.adminPort, ready: controlPlaneSettings.adminPort },
} as const;

/** Within the time-out of the HEALTHCHECK lines, so that the reason is seen. */
const TIMEOUT_MS = 3_000;

/** '' if all is well. */
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
