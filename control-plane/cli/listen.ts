import { createHmac } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { Event } from '../../shared/contract/schemas/event.js';
import { EVENT_TYPES, type EventType } from '../../shared/contract/schemas/events.js';
import { API_HELP, type ApiOptions, connectApi, withApiOptions } from './api-client.js';
import { CommandError, EXIT_USAGE } from './command-error.js';
import { EventTail } from './event-tail.js';
import { follow } from './follow.js';
import { type Forwarded, forwardEvent } from './forward.js';
import { httpUrl } from './http-url.js';
import type { Output } from './output.js';
import type { ProgramDependencies, Run } from './run.js';

export function addListen(program: Command, run: Run): void {
  const listen = program
    .command('listen')
    .description('show the events of an environment as they happen, and send them to a server on this machine')
    .option(
      '--forward-to <url>',
      'URL to which each event is sent, signed like a delivery: http://localhost:4242/hook, localhost:4242/hook, or a port',
    )
    .addOption(
      new Option(
        '--events <types>',
        'event types, separated by commas; "all" for every type (default: all except click.created)',
      ).argParser(eventTypes),
    )
    .option('--print-secret', 'print the signing secret and exit')
    .addHelpText('after', HELP);
  withApiOptions(listen).action((options: ListenOptions) => run((output, dependencies) => listenTo(options, output, dependencies)));
}

const HELP = `${API_HELP}

The signing secret is derived from the key, so it is the same every time. It is printed at the start. Press Ctrl-C to stop.

Examples:
  linkd listen --forward-to http://localhost:4242/hook
  linkd listen --events click.created,install.attributed --forward-to localhost:4242/hook
  linkd listen --json --events all | jq .data`;

interface ListenOptions extends ApiOptions {
  readonly forwardTo?: string;
  readonly events?: ReadonlySet<EventType>;
  readonly printSecret?: true;
}

const UNLESS_ASKED = new Set<EventType>(['click.created']);
const LOOK_EVERY_MS = 500;
/** Maximum number of events that are sent to the developer's server at the same time. */
const UNDER_WAY_MAX = 10;

function eventTypes(text: string): ReadonlySet<EventType> {
  if (text === 'all') return new Set(EVENT_TYPES);
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !(EVENT_TYPES as readonly string[]).includes(type));
  if (unknown !== undefined)
    throw new CommandError(`there is no event type "${unknown}"; the types are ${EVENT_TYPES.join(', ')}`, EXIT_USAGE);
  return new Set(types as EventType[]);
}

/** The signing secret, which is always the same for a key. It needs no protection, because only this command signs with it. */
function secretOf(apiKey: string): string {
  return `whsec_${createHmac('sha256', apiKey).update('linkd listen').digest('hex').slice(0, 32)}`;
}

/** The scheme may be left out. A number is a port of this machine; as a host it would be an IP address. */
function forwardUrl(text: string): URL {
  const address = /^\d+$/.test(text) ? `localhost:${text}` : text;
  const url = httpUrl(address.includes('://') ? address : `http://${address}`);
  if (url === null)
    throw new CommandError(
      `--forward-to: ${text} is not a URL to which events can be sent; pass one such as http://localhost:4242/hook`,
      EXIT_USAGE,
    );
  return url;
}

async function listenTo(options: ListenOptions, output: Output, dependencies: ProgramDependencies): Promise<void> {
  const { writeError } = dependencies;
  const interrupted = dependencies.interrupted();
  const client = connectApi(options, dependencies.apiDefaults(), interrupted);
  const secret = secretOf(client.key);
  if (options.printSecret === true) {
    output.line({ secret }, secret);
    return;
  }
  const url = options.forwardTo === undefined ? null : forwardUrl(options.forwardTo);
  const tail = new EventTail(client, options.events ?? new Set(EVENT_TYPES.filter((type) => !UNLESS_ASKED.has(type))));
  await tail.start();
  writeError(`Listening to ${client.baseUrl}. Press Ctrl-C to stop.\n`);
  if (url !== null) writeError(`Events are sent to ${url}, signed with ${secret}\n`);
  const forwarding = { url: url as URL, secret, serviceName: dependencies.serviceName(), interrupted };
  const counts = { events: 0, failed: 0 };
  const handle = async (event: Event): Promise<void> => {
    const forwarded = url === null ? null : await forwardEvent(event, forwarding);
    counts.events++;
    if (forwarded !== null && !isSuccess(forwarded)) counts.failed++;
    output.line({ ...event, forwarded }, lineOf(event, forwarded));
  };
  const look = async () => inParallel(await tail.read(), UNDER_WAY_MAX, handle);
  await follow({ look, everyMs: LOOK_EVERY_MS, interrupted, writeError });
  writeError(`events: ${counts.events}${url === null ? '' : `, not accepted: ${counts.failed}`}\n`);
}

function isSuccess({ response_code }: Forwarded): boolean {
  return response_code !== null && response_code >= 200 && response_code < 300;
}

function lineOf(event: Event, forwarded: Forwarded | null): string {
  const outcome = forwarded === null ? '' : `  -> ${forwarded.response_code ?? forwarded.error} (${forwarded.latency_ms} ms)`;
  return `${event.created_at}  ${event.type.padEnd(18)}  ${event.id}${event.test ? '  test' : ''}${outcome}`;
}

/** Processes all items in order, `limit` of them at a time. */
async function inParallel<Item>(items: readonly Item[], limit: number, work: (item: Item) => Promise<void>): Promise<void> {
  const iterator = items.values();
  const worker = async () => {
    for (const item of iterator) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
