import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError, EXIT_NOT_FOUND } from '../../control-plane/cli/command-error.js';
import type { DemoServeOptions, DemoServing } from '../../control-plane/cli/demo-project.js';
import type { Database, Queryable } from '../../control-plane/db/database.js';
import { movedTo } from '../../control-plane/webhooks/rules.js';
import { singleAttempt } from '../../control-plane/webhooks/single-attempt.js';
import { insertTriggeredEvent, lockWebhook, updateWebhook } from '../../control-plane/webhooks/sql.js';
import type { WebhookRow } from '../../control-plane/webhooks/webhook-row.js';
import { idAt } from '../../shared/base/ids.js';
import { laterThan } from '../../shared/base/instant.js';
import { sharedSettings } from '../../shared/base/service-settings.js';
import { readSettings } from '../../shared/base/settings.js';
import type { EnvironmentName } from '../../shared/records/records.js';
import { parseSecretKeys, unseal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { sampleEvent } from '../../shared/webhooks/body.js';
import { DEMO_TAG } from './catalogue.js';
import { answerShoes, close } from './sample-api.js';
import { HOOKS_PATH } from './shop.js';
import { webhookReceiver } from './webhook-receiver.js';

export interface ServeSurroundings {
  readonly database: () => Database;
  readonly environment: NodeJS.ProcessEnv;
  readonly nowMs: () => number;
}

/**
 * Serves the sample API and receives webhooks until the signal. If the settings allow webhooks to reach it, the demo's endpoint is enabled
 * for that time and gets a sample event. Otherwise its deliveries would fail, so it stays disabled.
 */
export async function serveDemo(
  options: DemoServeOptions,
  until: AbortSignal,
  serving: DemoServing,
  around: ServeSurroundings,
): Promise<void> {
  const database = around.database();
  const { secretsKeys, serviceName, outboundAllow } = sharedSettings;
  const settings = readSettings({ secretsKeys, serviceName, outboundAllow }, around.environment);
  const endpoint = await findEndpoint(database, options.project);
  const secret = unseal(parseSecretKeys(settings.secretsKeys), webhookSecretPlace(endpoint.id), endpoint.secret);
  const receive = webhookReceiver({ secret, serviceName: settings.serviceName, onDelivery: serving.onDelivery });
  const server = await listen(options, (request, response) =>
    (request.method === 'POST' && request.url === HOOKS_PATH ? receive : answerShoes)(request, response),
  );
  const { origin } = new URL(endpoint.url);
  const receives = settings.outboundAllow.includes(origin);
  try {
    serving.onListening({ listens: addressOf(server), origin, receives });
    if (receives) await move(database, endpoint, 'active', around.nowMs());
    if (receives) await sendSample(database, endpoint, around.nowMs());
    if (!until.aborted) await new Promise<void>((resolve) => until.addEventListener('abort', () => resolve(), { once: true }));
  } finally {
    if (receives) await move(database, endpoint, 'disabled', around.nowMs());
    await close(server);
  }
}

interface Endpoint {
  readonly id: string;
  readonly environment_id: string;
  readonly environment: EnvironmentName;
  readonly url: string;
  readonly events: WebhookRow['events'];
  readonly secret: Buffer;
}

async function findEndpoint(database: Queryable, project: string): Promise<Endpoint> {
  const { rows } = await database.query<Endpoint>({
    text: `SELECT endpoint.id, endpoint.environment_id, environment.name AS environment, endpoint.url, endpoint.events, endpoint.secret
           FROM projects AS project
             JOIN environments AS environment ON environment.project_id = project.id
             JOIN webhook_endpoints AS endpoint ON endpoint.environment_id = environment.id
           WHERE project.name = $1 AND endpoint.description = $2`,
    values: [project, DEMO_TAG],
  });
  const [endpoint] = rows;
  if (endpoint === undefined)
    throw new CommandError(
      `there is no demo "${project}"; create it with: linkd demo --project ${JSON.stringify(project)}`,
      EXIT_NOT_FOUND,
    );
  return endpoint;
}

/** As `PATCH /webhooks/{id}` does. Does nothing if the endpoint was deleted in the meantime, together with the demo. */
async function move(database: Database, { id, environment_id }: Endpoint, status: WebhookRow['status'], nowMs: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const row = await lockWebhook(transaction, environment_id, id);
    if (row === null || row.status === status) return;
    const moved = movedTo(status, nowMs, 'linkd demo serve has ended');
    await updateWebhook(transaction, { ...row, ...moved, updated_at: laterThan(row.updated_at, nowMs) });
  });
}

/** As `POST /webhooks/{id}/test` does, so that something arrives without anybody doing anything. */
async function sendSample(database: Queryable, endpoint: Endpoint, nowMs: number): Promise<void> {
  const { id, environment_id, environment, events } = endpoint;
  const event = sampleEvent({ environment_id, environment, at_ms: nowMs }, events[0] as Endpoint['events'][number]);
  const delivery = { id: idAt('delivery', nowMs), webhook_id: id, event_id: event.id, event_type: event.type, kind: 'test' } as const;
  await insertTriggeredEvent(database, event, [singleAttempt(delivery, nowMs)]);
}

async function listen({ host, port }: DemoServeOptions, answer: RequestListener): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const reason = code === 'EADDRINUSE' ? 'is used by another process' : `cannot be used (${code})`;
      reject(new CommandError(`${host}:${port} ${reason}; pass another --listen, and the same address as --origin to linkd demo`));
    });
    server.listen(port, host, resolve);
  });
  return server;
}

function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
}
