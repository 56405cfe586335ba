import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { commandLine } from '../control-plane/cli/command-line.js';
import { ROOT, readTreeFile } from '../support/source-tree.js';

const PAGES = ['deploy/README.md', 'deploy/backup.md', 'deploy/upgrade.md', 'deploy/failover.md', 'deploy/topologies.md'];

t.test('files and headings that the pages refer to exist', async (t) => {
  for (const page of PAGES) {
    const text = readTreeFile(page);
    const files = [...text.matchAll(/`((?:test|shared|control-plane|engine|deploy)\/[\w./-]+\.(?:ts|md|sql|json))`/g)].map(
      ([, file]) => file as string,
    );
    for (const file of files) t.ok(existsSync(join(ROOT, file)), `${page} names ${file}`);
    for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
      const [file = '', part] = target.split('#');
      const path = file === '' ? page : join(dirname(page), file);
      if (!t.ok(existsSync(join(ROOT, path)), `${page} leads to ${path}`) || part === undefined) continue;
      const headings = [...readTreeFile(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      );
      t.ok(headings.includes(part), `${page} leads to ${target}`);
    }
  }
  t.match(readTreeFile('deploy/README.md'), /\]\(backup\.md\)[\s\S]*\]\(upgrade\.md\)/);
});

t.test('commands of linkd that the pages name exist in its help', async (t) => {
  const { run } = commandLine(t, '');
  const named = new Set(
    PAGES.flatMap((page) => [...readTreeFile(page).matchAll(/\blinkd ([a-z]+(?: [a-z]+)?)/g)].map(([, words]) => words as string)),
  );
  t.ok(named.size > 4);
  const { stdout } = await run('--help');
  for (const words of named) {
    const [noun = '', verb = ''] = words.split(' ');
    if (!stdout.includes(`\n  ${noun} `)) t.fail(`linkd has no command ${noun}`);
    const ofNoun = (await run(`${noun} --help`)).stdout;
    if (ofNoun.includes('Commands:') && verb !== '')
      t.ok(ofNoun.includes(`\n  ${verb} `) || ofNoun.includes(`linkd ${noun}\n`), `linkd ${words}`);
  }
});
