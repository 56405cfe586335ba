import { join } from 'node:path';
import t, { type Test } from 'tap';
import { check, hasProgram } from '../support/programs.js';
import { checkCommand, hasProxy, PROXY_KINDS } from '../support/proxies.js';
import { ROOT, readTreeFile, treeFiles } from '../support/source-tree.js';

/** Runs the program that reads the files, or the linter that its users trust, and checks that it finds nothing. */
function wellChecked(t: Test, program: string, args: readonly string[], environment?: NodeJS.ProcessEnv): void {
  const { status, output } = check(program, args, environment);
  t.equal(status, 0, `${program} ${args.join(' ')}\n${output}`);
}

t.test('shellcheck finds nothing in any shell script', async (t) => {
  if (!hasProgram(t, 'shellcheck')) return;
  const scripts = treeFiles().filter((file) => /^#!.*\b(ba)?sh\b/.test(readTreeFile(file).split('\n', 1)[0] as string));
  t.ok(scripts.includes('.ci/run') && scripts.length > 1);
  wellChecked(t, 'shellcheck', ['--external-sources', ...scripts.map((file) => join(ROOT, file))]);
});

t.test('yamllint finds nothing in any YAML file', async (t) => {
  if (!hasProgram(t, 'yamllint')) return;
  const files = treeFiles().filter((file) => /\.ya?ml$/.test(file));
  t.ok(files.includes('deploy/compose.yaml'));
  wellChecked(t, 'yamllint', ['--strict', '--config-file', join(ROOT, '.yamllint.yaml'), ...files.map((file) => join(ROOT, file))]);
});

for (const file of ['postgres.cfg', 'control-planes.cfg'])
  t.test(`HAProxy accepts ${file}`, async (t) => {
    if (hasProgram(t, 'haproxy')) wellChecked(t, 'haproxy', ['-c', '-f', join(ROOT, 'deploy/haproxy', file)]);
  });

for (const kind of PROXY_KINDS)
  t.test(`${kind} accepts its configuration file of deploy/`, async (t) => {
    if (hasProxy(t, kind)) wellChecked(t, ...checkCommand(t, kind));
  });
