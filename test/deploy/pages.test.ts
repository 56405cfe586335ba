import t from 'tap';
import { commandLine } from '../control-plane/cli/command-line.js';
import { readTreeFile, treeFiles } from '../support/source-tree.js';

const PAGES = treeFiles().filter((file) => /^(?:README|deploy\/[^/]+|control-plane\/docs\/guides\/[^/]+)\.md$/.test(file));

interface Call {
  readonly page: string;
  readonly noun: string;
  readonly verb: string;
  readonly options: readonly string[];
}

/** The commands of linkd that a page names, in code or between backticks. A backslash continues a line. */
function callsOf(page: string): readonly Call[] {
  const text = readTreeFile(page).replaceAll(/ *\\\n */g, ' ');
  return [...text.matchAll(/\blinkd(?:\.js)? ([a-z]+)(?: ([a-z][a-z-]*))?([^`\n]*)/g)].map(([, noun = '', verb = '', rest = '']) => ({
    page,
    noun,
    verb,
    options: [...rest.matchAll(/(?<= )--[a-z-]+/g)].map(([option]) => option),
  }));
}

t.test('commands and options of linkd that the pages name exist in its help', async (t) => {
  const { run } = commandLine(t, '');
  const { stdout } = await run('--help');
  const calls = PAGES.flatMap(callsOf);
  t.ok(calls.length > 60 && calls.filter(({ options }) => options.length > 0).length > 20, String(calls.length));
  const helps = new Map<string, string>();
  const helpOf = async (words: string) => {
    if (!helps.has(words)) helps.set(words, (await run(`${words} --help`)).stdout);
    return helps.get(words) as string;
  };
  for (const { page, noun, verb, options } of calls) {
    if (!stdout.includes(`\n  ${noun} `)) t.fail(`${page}: linkd has no command ${noun}`);
    const ofNoun = await helpOf(noun);
    const isVerb = ofNoun.includes(`\n  ${verb} `) && ofNoun.includes('Commands:');
    if (ofNoun.includes('Commands:') && verb !== '')
      t.ok(isVerb || ofNoun.includes(`linkd ${noun}\n`), `${page}: linkd ${noun} has no command ${verb}`);
    const help = isVerb ? await helpOf(`${noun} ${verb}`) : ofNoun;
    for (const option of options) t.ok(help.includes(`${option} `) || help.includes(`${option}\n`), `${page}: ${noun} ${verb} ${option}`);
  }
});

t.test('the page of deployment leads to backups before upgrades', async (t) => {
  t.match(readTreeFile('deploy/README.md'), /\]\(backup\.md\)[\s\S]*\]\(upgrade\.md\)/);
});
