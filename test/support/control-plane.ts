import { join } from 'node:path';
import { createPool, createDatabase as openDatabase } from '../../control-plane/db/database.js';
import { createKey } from '../../control-plane/keys/keys.js';
import { createProject } from '../../control-plane/projects/projects.js';
import { TEST_SECRETS_KEYS } from './engine.js';
import { type ProgramOptions, startProcess, type WholeProcess } from './whole-process.js';

/** A project with the means to use its live environment. */
export interface TestProject {
  readonly environmentId: string;
  readonly linkHost: string;
  readonly secretKey: string;
}

/** Makes a project and a key as the operator's command line does. `name` makes the hosts of several projects differ. */
export async function makeProject(databaseUrl: string, name = 'demo'): Promise<TestProject> {
  const pool = createPool(databaseUrl, 2, 'test', () => {});
  try {
    const database = openDatabase(pool);
    const linkHost = `go.${name}.example`;
    const { environments } = await createProject(
      database,
      { name, timeZone: 'UTC', hosts: { test: { linkHost: `test.${name}.example` }, live: { linkHost } } },
      Date.now(),
    );
    const environmentId = environments.live.id;
    const { key } = await createKey(database, { environmentId, environment: 'live', kind: 'secret', name: 'test' }, Date.now());
    return { environmentId, linkHost, secretKey: key };
  } finally {
    await pool.end();
  }
}

export interface TestControlPlane extends WholeProcess {
  readonly baseUrl: string;
  /** Port of health and metrics. */
  readonly adminPort: number;
  /** Makes one call; returns the answer's status and its body, parsed if there is one. */
  call<Body>(project: TestProject, method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: Body }>;
}

export interface ControlPlaneOptions extends ProgramOptions {
  readonly databaseUrl: string;
  /** The folder for its output. */
  readonly dir: string;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Listening {
  readonly type: 'listening';
  readonly port: number;
  readonly admin_port: number;
}

/** Starts the control plane as a process of its own. Resolves when it listens. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<TestControlPlane> {
  const started = startProcess(
    'control-plane/main.js',
    {
      DATABASE_URL: options.databaseUrl,
      SECRETS_KEYS: TEST_SECRETS_KEYS,
      CONTROL_PLANE_PORT: '0',
      CONTROL_PLANE_HOST: '127.0.0.1',
      CONTROL_PLANE_ADMIN_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      PUBLIC_LINK_SCHEME: 'http',
      ...options.environment,
    },
    join(options.dir, 'control-plane.log'),
    options,
  );
  const { port, admin_port: adminPort } = await started.message<Listening>('listening');
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  return {
    ...started,
    baseUrl,
    adminPort,
    async call<Body>(project: TestProject, method: string, path: string, body?: unknown) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${project.secretKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Body };
    },
  };
}
