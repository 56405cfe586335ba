import { type Command, Option } from 'commander';
import { DELIVERY_STATUSES, type Delivery, type Webhook } from '../../shared/contract/schemas/webhook.js';
import { API_HELP, type ApiAnswer, type ApiClient, type ApiOptions, connectApi, withApiOptions } from './api-client.js';
import { CommandError, EXIT_NOT_FOUND } from './command-error.js';
import { follow } from './follow.js';
import type { Output } from './output.js';
import type { ProgramDependencies, Run } from './run.js';

export function addDeliveries(program: Command, run: Run): void {
  const tail = program
    .command('deliveries')
    .description('read the log of webhook deliveries')
    .command('tail')
    .description('show attempts as they end')
    .option('--webhook <id>', 'show this endpoint only, wh_...')
    .addOption(
      new Option('--status <status>', 'show only attempts with this result').choices(
        DELIVERY_STATUSES.filter((status) => status !== 'pending'),
      ),
    )
    .addHelpText('after', HELP);
  withApiOptions(tail).action((options: TailOptions) => run((output, dependencies) => tailDeliveries(options, output, dependencies)));
}

const HELP = `${API_HELP}

Press Ctrl-C to stop.

Examples:
  linkd deliveries tail
  linkd deliveries tail --status retrying --json`;

interface TailOptions extends ApiOptions {
  readonly webhook?: string;
  readonly status?: Delivery['status'];
}

const LOOK_EVERY_MS = 1000;
/** Endpoints change rarely, so that this can be long. */
const ENDPOINTS_EVERY_MS = 10_000;
/** How long to watch an attempt that has not ended. Attempts take far less. */
const WATCHED_MS = 10 * 60_000;
const OVERLAP_MS = 5000;

async function tailDeliveries(options: TailOptions, output: Output, dependencies: ProgramDependencies): Promise<void> {
  const { writeError } = dependencies;
  const interrupted = dependencies.interrupted();
  const client = connectApi(options, dependencies.apiDefaults(), interrupted);
  const tail = new DeliveryTail(client, options.webhook ?? null);
  await tail.start();
  writeError(`Following the deliveries of ${client.baseUrl}. Press Ctrl-C to stop.\n`);
  const look = async () => {
    for (const delivery of await tail.read())
      if (options.status === undefined || delivery.status === options.status) output.line(delivery, lineOf(delivery));
  };
  await follow({ look, everyMs: LOOK_EVERY_MS, interrupted, writeError });
}

function lineOf(delivery: Delivery): string {
  const { created_at, status, event_type, webhook_id, attempt, kind, response_code, error, latency_ms, next_attempt_at } = delivery;
  const outcome = error === null ? response_code : response_code === null ? error : `${response_code} ${error}`;
  const next = next_attempt_at === null ? '' : `  next at ${next_attempt_at}`;
  const what = kind === 'automatic' ? `attempt ${attempt}` : kind;
  return `${created_at}  ${status.padEnd(9)}  ${event_type.padEnd(18)}  ${webhook_id}  ${what}  ${outcome ?? '-'}  ${latency_ms ?? '-'} ms${next}`;
}

interface DeliveryPage {
  readonly data: readonly Delivery[];
  readonly next_cursor: string | null;
}

/** Maximum number of attempts read of one endpoint at a time. */
const DELIVERIES_READ_MAX = 1000;

/** Finds attempts as they end, each once. */
class DeliveryTail {
  readonly #client: ApiClient;
  readonly #only: string | null;
  #webhookIds: readonly string[] = [];
  #webhooksReadAt = Number.NEGATIVE_INFINITY;
  /** Attempts that were reported, and those that are watched, by the time when they were queued. */
  readonly #told = new Map<string, number>();
  readonly #watched = new Map<string, number>();
  #serverTimeMs = 0;
  #startedMs = 0;

  constructor(client: ApiClient, only: string | null) {
    this.#client = client;
    this.#only = only;
  }

  async start(): Promise<void> {
    const path = this.#only === null ? '/webhooks?limit=1' : `/webhooks/${encodeURIComponent(this.#only)}`;
    this.#startedMs = (await this.#client.get(path)).serverTimeMs;
    this.#serverTimeMs = this.#startedMs;
  }

  async read(): Promise<readonly Delivery[]> {
    await this.#readWebhooks();
    const fromMs = this.#fromMs();
    const pages = await Promise.all(this.#webhookIds.map((id) => this.#readLogUnlessDeleted(id, fromMs)));
    const ended: Delivery[] = [];
    for (const delivery of pages.flat()) {
      const atMs = Date.parse(delivery.created_at);
      if (delivery.status === 'pending') this.#watched.set(delivery.id, atMs);
      else {
        this.#watched.delete(delivery.id);
        if (!this.#told.has(delivery.id)) ended.push(delivery);
        this.#told.set(delivery.id, atMs);
      }
    }
    for (const [id, atMs] of this.#told) if (atMs < fromMs) this.#told.delete(id);
    return ended.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Returns the time of the oldest attempt that has not ended, within bounds, and not before the start. */
  #fromMs(): number {
    for (const [id, atMs] of this.#watched) if (atMs < this.#serverTimeMs - WATCHED_MS) this.#watched.delete(id);
    const oldest = Math.min(this.#serverTimeMs - OVERLAP_MS, ...this.#watched.values());
    return Math.max(this.#startedMs, oldest);
  }

  async #readWebhooks(): Promise<void> {
    if (this.#only !== null) {
      this.#webhookIds = [this.#only];
      return;
    }
    if (performance.now() - this.#webhooksReadAt < ENDPOINTS_EVERY_MS) return;
    const { body } = await this.#client.get<{ data: Webhook[] }>('/webhooks?limit=100');
    this.#webhookIds = body.data.map(({ id }) => id);
    this.#webhooksReadAt = performance.now();
  }

  /** An endpoint may be deleted while all are followed. If it is the only one, there is nothing left to follow. */
  async #readLogUnlessDeleted(webhookId: string, fromMs: number): Promise<readonly Delivery[]> {
    try {
      return await this.#readLog(webhookId, fromMs);
    } catch (error) {
      if (this.#only !== null || !(error instanceof CommandError) || error.exitCode !== EXIT_NOT_FOUND) throw error;
      this.#webhookIds = this.#webhookIds.filter((id) => id !== webhookId);
      return [];
    }
  }

  async #readLog(webhookId: string, fromMs: number): Promise<readonly Delivery[]> {
    const path = `/webhooks/${encodeURIComponent(webhookId)}/deliveries?limit=100&from=${encodeURIComponent(new Date(fromMs).toISOString())}`;
    const deliveries: Delivery[] = [];
    let cursor: string | null = '';
    while (cursor !== null && deliveries.length < DELIVERIES_READ_MAX) {
      const { body, serverTimeMs }: ApiAnswer<DeliveryPage> = await this.#client.get(`${path}${cursor}`);
      deliveries.push(...body.data);
      this.#serverTimeMs = serverTimeMs;
      cursor = body.next_cursor === null ? null : `&cursor=${body.next_cursor}`;
    }
    return deliveries;
  }
}
