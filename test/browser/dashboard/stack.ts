import type { Test } from 'tap';
import { createPool, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import { createKey } from '../../../control-plane/keys/keys.js';
import { type CustomerApi, startCustomerApi } from '../../support/customer-api.js';
import { type Stack, startStack } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.js';

/** The whole service, with a customer's metadata API and a receiver of webhooks. */
export interface DashboardStack {
  readonly stack: Stack;
  readonly origin: string;
  readonly dashboardUrl: string;
  readonly projectId: string;
  readonly keys: { readonly live: string; readonly test: string };
  readonly metadataApi: CustomerApi;
  readonly receiver: Receiver;
}

export async function startDashboardStack(t: Test): Promise<DashboardStack> {
  const metadataApi = await startCustomerApi(t, (path, response) => {
    const id = path.split('/').at(-1) ?? '';
    response.writeHead(id === 'gone' ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        product: { name: `Running shoe ${id}`, text: 'Light, and made to last.', picture: 'https://images.example/shoe.png' },
        state: 'on_sale',
      }),
    );
  });
  const receiver = await startReceiver(t, (response, { path }) => {
    response.writeHead(path === '/broken' ? 500 : 200, { 'content-type': 'text/plain' });
    response.end(path === '/broken' ? 'out of order' : 'thank you');
  });
  const stack = await startStack(t, { processes: 1, environment: { OUTBOUND_ALLOW: `${metadataApi.origin},${receiver.origin}` } });
  const origin = new URL(stack.controlPlane.baseUrl).origin;
  const keys = { live: stack.project.secretKey, test: await makeKey(stack, 'test') };
  return { stack, origin, dashboardUrl: `${origin}/dashboard/`, projectId: await projectIdOf(stack), keys, metadataApi, receiver };
}

/** Does the work while the live environment has an iOS app that opens URLs of the scheme. */
export async function withScheme<Made>(stack: Stack, scheme: string, work: () => Promise<Made>): Promise<Made> {
  const setApps = (ios_apps: readonly object[]) => stack.controlPlane.call(stack.project, 'PATCH', '/environment', { ios_apps });
  await setApps([{ team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', uri_scheme: scheme }]);
  const made = await work();
  await setApps([]);
  return made;
}

async function projectIdOf(stack: Stack): Promise<string> {
  const { body } = await stack.controlPlane.call<{ project: { id: string } }>(stack.project, 'GET', '/environment');
  return body.project.id;
}

/** Creates a secret key of an environment of the stack's project. */
export async function makeKey(stack: Stack, environment: 'live' | 'test'): Promise<string> {
  const rows = await stack.rows<{ id: string }>(
    'SELECT id FROM environments WHERE name = $1 AND project_id = (SELECT project_id FROM environments WHERE id = $2)',
    [environment, stack.project.environmentId],
  );
  const pool = createPool(stack.databaseUrl, 1, 'test', () => {});
  try {
    const subject = { environmentId: rows[0]?.id as string, environment, kind: 'secret', name: 'test' } as const;
    return (await createKey(openDatabase(pool), subject, Date.now())).key;
  } finally {
    await pool.end();
  }
}

/** Revokes the key, and waits until the server, which remembers keys for half a second, refuses it. */
export async function revokeKey({ stack, origin }: DashboardStack, key: string): Promise<void> {
  await stack.rows('UPDATE api_keys SET revoked_at = now() WHERE hash = sha256($1::bytea)', [key]);
  const isRefused = async () => (await fetch(`${origin}/v1/key`, { headers: { authorization: `Bearer ${key}` } })).status === 401;
  await until(isRefused, 'the key to be refused');
}
