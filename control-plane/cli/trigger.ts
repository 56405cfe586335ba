import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, type Command } from 'commander';
import type { TriggeredEvent } from '../../shared/contract/schemas/event.js';
import { EVENT_TYPES, type EventType } from '../../shared/contract/schemas/events.js';
import type { Delivery } from '../../shared/contract/schemas/webhook.js';
import { API_HELP, type ApiClient, type ApiOptions, connectApi, withApiOptions } from './api-client.js';
import { CommandError, EXIT_NOT_FOUND } from './command-error.js';
import type { Output } from './output.js';
import type { ProgramDependencies, Run } from './run.js';

export function addTrigger(program: Command, run: Run): void {
  const trigger = program
    .command('trigger')
    .description('create a sample event, marked as a test, and send it to every endpoint that is subscribed to its type')
    .addArgument(new Argument('<type>', 'type of the event').choices(EVENT_TYPES))
    .option('--no-wait', 'do not wait for the responses of the endpoints')
    .addHelpText('after', HELP);
  withApiOptions(trigger).action((type: EventType, options: TriggerOptions) =>
    run((output, dependencies) => triggerEvent(type, options, output, dependencies)),
  );
}

const HELP = `${API_HELP}

Each endpoint is tried once. "linkd listen" shows the event too.

Examples:
  linkd trigger link.created
  linkd trigger install.attributed --no-wait --json`;

interface TriggerOptions extends ApiOptions {
  readonly wait: boolean;
}

/** An attempt takes at most ten seconds. */
const OUTCOMES_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 250;

async function triggerEvent(type: EventType, options: TriggerOptions, output: Output, dependencies: ProgramDependencies): Promise<void> {
  const interrupted = dependencies.interrupted();
  const client = connectApi(options, dependencies.apiDefaults(), interrupted);
  const { body: event } = await client.post<TriggeredEvent>('/events/trigger', { type });
  const deliveries = options.wait ? await outcomes(client, event.deliveries) : event.deliveries;
  const shown = deliveries.map(({ id, webhook_id, status, response_code, error }) => ({ webhook_id, id, status, response_code, error }));
  if (output.json) output.object({ ...event, deliveries });
  else {
    output.object({ event: event.id, type, deliveries: deliveries.length });
    if (shown.length > 0) output.rows(shown);
  }
  const failed = deliveries.filter(({ status }) => status === 'failed').length;
  if (failed > 0) throw new CommandError(`${failed} of ${deliveries.length} endpoints did not accept the event`);
}

/** Returns the deliveries when all have ended, or as they are when the time is over. */
async function outcomes(client: ApiClient, queued: readonly Delivery[]): Promise<readonly Delivery[]> {
  const endsAt = performance.now() + OUTCOMES_WITHIN_MS;
  let deliveries = queued;
  while (deliveries.some(({ status }) => status === 'pending') && performance.now() < endsAt) {
    await sleep(LOOK_EVERY_MS, undefined, { signal: client.interrupted });
    deliveries = await Promise.all(deliveries.map((delivery) => (delivery.status === 'pending' ? reread(client, delivery) : delivery)));
  }
  return deliveries;
}

/** The log of an endpoint is deleted with it. The outcomes of the others are still to be shown. */
async function reread(client: ApiClient, delivery: Delivery): Promise<Delivery> {
  const window = `from=${encodeURIComponent(delivery.created_at)}&event_type=${delivery.event_type}`;
  try {
    const { body } = await client.get<{ data: Delivery[] }>(`/webhooks/${delivery.webhook_id}/deliveries?limit=100&${window}`);
    return body.data.find(({ id }) => id === delivery.id) ?? delivery;
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== EXIT_NOT_FOUND) throw error;
    return { ...delivery, status: 'failed', error: 'the endpoint was deleted' };
  }
}
