import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseUrl } from '../../shared/base/parse-url.js';
import type { DemoDelivery, DemoOptions, DemoServing } from './demo-project.js';
import { hostArgument } from './host-argument.js';
import type { Output } from './output.js';
import { createProgress } from './progress.js';
import type { Run } from './run.js';
import { wholeNumberUpTo } from './whole-number.js';

const CLICKS = 50_000;
const CLICKS_MAX = 1_000_000;
const SERVED = { host: '127.0.0.1', port: 4010 };
const ORIGIN = `http://${SERVED.host}:${SERVED.port}`;
const PROJECT = 'demo-shop';

export function addDemo(program: Command, run: Run): void {
  const demo = program
    .command('demo')
    .description('create a demo project with 30 days of clicks, links, campaigns, a resource type, a webhook endpoint, installs and events')
    .option('--project <name>', 'name of the project', PROJECT)
    .option('--clicks <number>', 'clicks in all', wholeNumberUpTo(CLICKS_MAX), CLICKS)
    .option('--live-host <host>', 'link host of the environment live', hostArgument, 'demo-shop.localhost')
    .option('--origin <origin>', 'origin at which engines reach "linkd demo serve"', origin, ORIGIN)
    .addHelpText('after', HELP)
    .action((options: DemoOptions) =>
      run(async (output, { demo: maker, terminal }) => {
        const bar = createProgress(terminal, '{bar} {value} of {total} clicks');
        output.object(await maker.fill(options, bar.update).finally(bar.stop));
      }),
    );
  // Options of "linkd demo" may stand behind the names of its commands, where those that the command does not have would be ignored.
  demo.hook('preSubcommand', (_, command) => {
    const known = new Set(command.options.map((option) => option.attributeName()));
    for (const option of demo.options)
      if (!known.has(option.attributeName()) && demo.getOptionValueSource(option.attributeName()) === 'cli')
        command.error(`error: unknown option '${option.long}'`, { code: 'commander.unknownOption' });
  });
  demo
    .command('remove')
    .description('remove the demo project and everything that belongs to it; refuses a project that the command did not create')
    .option('--project <name>', 'name of the project', PROJECT)
    .addHelpText('after', '\nExample:\n  linkd demo remove')
    .action((_: unknown, command: Command) =>
      run(async (output, { demo: maker }) => output.object(await maker.remove(command.optsWithGlobals<DemoOptions>().project))),
    );
  demo
    .command('serve')
    .description('serve the sample metadata API of the demo’s items and receive its webhooks until Ctrl-C')
    .option('--project <name>', 'name of the project', PROJECT)
    .addOption(
      new Option('--listen <host:port>', 'address on which to listen')
        .argParser(listenAddress)
        .default(SERVED, `${SERVED.host}:${SERVED.port}`),
    )
    .addHelpText('after', SERVE_HELP)
    .action((_: unknown, command: Command) =>
      run((output, { demo: maker, interrupted }) => {
        const { project, listen } = command.optsWithGlobals<DemoOptions & { readonly listen: typeof SERVED }>();
        return maker.serve({ project, ...listen }, interrupted(), printing(output));
      }),
    );
}

function printing(output: Output): DemoServing {
  return {
    onListening({ listens, origin, receives }) {
      const webhooks = receives
        ? `and receives webhooks at ${origin}/hooks`
        : `and no webhooks: the webhook endpoint stays disabled without OUTBOUND_ALLOW=${origin}`;
      output.line({ listens, origin, receives }, `listens on ${listens}, serves ${origin}/shoes/1 ${webhooks}; press Ctrl-C to stop`);
    },
    onDelivery: (delivery) => output.line(delivery, lineOf(delivery)),
  };
}

function lineOf({ at, delivery, event, type, test, fault, response_code }: DemoDelivery): string {
  if (fault !== null) return `${at}  REFUSED: ${fault} -> ${response_code}`;
  return `${at}  ${type?.padEnd(18)}  ${event}  ${delivery}  verified -> ${response_code}${test ? '  test' : ''}`;
}

const HELP = `
The clicks are written as an engine writes them and counted as a control plane counts them, so that figures, statistics and
exports agree. Nothing outside the project is changed. Items are at /demo/shoes/1 to 3 of the link host. Their cards come
from "linkd demo serve", which also enables the webhook endpoint, receives its deliveries, and disables it when it ends.
All of it needs DATABASE_URL and SECRETS_KEYS.

Examples:
  linkd demo
  linkd demo --project big-demo --live-host big.localhost --clicks 500000
  linkd demo serve
  linkd demo remove`;

const SERVE_HELP = `
Engines call it only if engines and control planes have OUTBOUND_ALLOW=${ORIGIN}: start them with it
("OUTBOUND_ALLOW=${ORIGIN} npm start"). Set it for this command too, so that it enables the webhook endpoint. The
signature of each delivery is verified, and each delivery is printed in a line; the dashboard shows the log and replays.

If engines run on other machines or in containers, pass the address at which they reach this command to "linkd demo", and listen on it.

Examples:
  linkd demo serve
  linkd demo --origin http://control-plane:4010
  linkd demo serve --listen 0.0.0.0:4010`;

function origin(text: string): string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== text)
    throw new InvalidArgumentError(`expected an origin such as ${ORIGIN}`);
  return text;
}

function listenAddress(text: string): typeof SERVED {
  const [, host, port] = /^(\[[\da-f:.]+\]|[^\s:[\]]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) throw new InvalidArgumentError('expected a host and a port, such as 0.0.0.0:4010');
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
