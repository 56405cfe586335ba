import { type Command, InvalidArgumentError } from 'commander';
import { CommandError } from './command-error.js';
import type { Finding } from './finding.js';
import { httpUrl } from './http-url.js';
import type { Output } from './output.js';
import type { Run } from './run.js';
import { wholeNumberUpTo } from './whole-number.js';

/** More than anyone runs, and few enough for sums of connections to stay exact integers. */
const PROCESSES_MAX = 10_000;

interface DoctorOptions {
  readonly outbound?: string;
  readonly engines?: number;
  readonly controlPlanes?: number;
}

export function addDoctor(program: Command, run: Run): void {
  program
    .command('doctor')
    .description(
      'check settings, machine, database, poolers, DNS and certificates, and say how to repair each fault; exits with 1 on a failure',
    )
    .option('--outbound <url>', 'also connect to this URL through the outbound guard, as webhooks do', outboundUrl)
    .option(
      '--engines <number>',
      'count connections for this number of engines with these settings (default: the engines that are running)',
      wholeNumberUpTo(PROCESSES_MAX),
    )
    .option('--control-planes <number>', 'the same for control planes (default: those that are running)', wholeNumberUpTo(PROCESSES_MAX))
    .addHelpText('after', HELP)
    .action((options: DoctorOptions) =>
      run(async (output, { examine }) => {
        const findings = await examine({
          outboundTarget: options.outbound ?? null,
          engines: options.engines ?? null,
          controlPlanes: options.controlPlanes ?? null,
        });
        print(findings, output);
        const failures = findings.filter(({ status }) => status === 'failure').length;
        if (failures > 0) throw new CommandError(`${failures} ${failures === 1 ? 'check has' : 'checks have'} failed`);
      }),
    );
}

const HELP = `
It reads the settings of its own environment, so run it with those of the service, as the user of the service, on each host.
It changes nothing. A check that cannot be made, for example because the database does not respond, is shown as unchecked.

Examples:
  linkd doctor
  linkd doctor --engines 4 --control-planes 2 --json
  linkd doctor --outbound https://hooks.example.com/links`;

function outboundUrl(text: string): string {
  if (httpUrl(text) === null) throw new InvalidArgumentError('expected a URL such as https://hooks.example.com/links');
  return text;
}

const MARKS: Readonly<Record<Finding['status'], string>> = {
  ok: 'ok       ',
  warning: 'warning  ',
  failure: 'FAILURE  ',
  unchecked: 'unchecked',
};

function print(findings: readonly Finding[], output: Output): void {
  if (output.json) {
    output.rows(findings);
    return;
  }
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const finding of findings) {
    const { check, status, text, repair } = finding;
    const repaired = repair === null ? '' : `\n${' '.repeat(MARKS.ok.length + width + 4)}-> ${repair}`;
    output.line(finding, `${MARKS[status]}  ${check.padEnd(width)}  ${text}${repaired}`);
  }
}
