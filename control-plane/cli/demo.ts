import { type Command, InvalidArgumentError } from 'commander';
import type { DemoOptions } from './demo-project.js';
import { createProgress } from './progress.js';
import type { Run } from './run.js';

const CLICKS = 50_000;
const CLICKS_MAX = 1_000_000;
const API_PORT = 4010;
const PROJECT = 'demo-shop';

export function addDemo(program: Command, run: Run): void {
  const demo = program
    .command('demo')
    .description(
      'fill a project of its own with 30 days of clicks, links, campaigns, an item type, a webhook endpoint, installs and events',
    )
    .option('--project <name>', 'name of the project', PROJECT)
    .option('--clicks <number>', 'clicks in all', numberUpTo(CLICKS_MAX), CLICKS)
    .option('--live-host <host>', 'link host of the environment live', 'demo-shop.localhost')
    .option('--api-port <port>', 'port of the sample metadata API', numberUpTo(65_535), API_PORT)
    .addHelpText('after', HELP)
    .action((options: DemoOptions) =>
      run(async (output, { demo: maker, terminal }) => {
        const bar = createProgress(terminal, '{bar} {value} of {total} clicks');
        const report = await maker.fill(options, bar.update).finally(bar.stop);
        output.object({ ...report });
      }),
    );
  demo
    .command('remove')
    .description('take the demo away with everything that belongs to it; refuses a project that the command did not make')
    .option('--project <name>', 'name of the project', PROJECT)
    .addHelpText('after', '\nExample:\n  linkd demo remove')
    .action((_: unknown, command: Command) =>
      run(async (output, { demo: maker }) => output.object(await maker.remove(command.optsWithGlobals<DemoOptions>().project))),
    );
  demo
    .command('serve')
    .description('serve the sample metadata API of the demo’s items until Ctrl-C')
    .option('--api-port <port>', 'port on loopback', numberUpTo(65_535), API_PORT)
    .addHelpText('after', SERVE_HELP)
    .action((_: unknown, command: Command) =>
      run((output, { demo: maker, interrupted }) =>
        maker.serve(command.optsWithGlobals<DemoOptions>().apiPort, interrupted(), (origin) =>
          output.line({ origin }, `serves ${origin}/shoes/1 until Ctrl-C; engines need OUTBOUND_ALLOW=${origin}`),
        ),
      ),
    );
}

const HELP = `
The clicks are written as an engine writes them and counted as a control plane counts them, so that figures, statistics and
exports agree. Nothing outside of the project is touched. Items are at /demo/shoes/1 to 3 of the link host; their cards come
from "linkd demo serve".

Examples:
  linkd demo
  linkd demo --project big-demo --live-host big.localhost --clicks 500000
  linkd demo serve
  linkd demo remove`;

const SERVE_HELP = `
Engines call it on their own machine only, with OUTBOUND_ALLOW=http://127.0.0.1:${API_PORT} among their settings.

Example:
  linkd demo serve`;

function numberUpTo(max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < 1 || number > max) throw new InvalidArgumentError(`expected a whole number from 1 to ${max}`);
    return number;
  };
}
