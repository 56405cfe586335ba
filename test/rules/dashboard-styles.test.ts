import t from 'tap';
import { readTreeFile, treeFiles } from '../support/source-tree.js';

/** Properties and values that name a physical side, although the page may run from right to left. */
const PHYSICAL =
  /(?:^|[\s;{])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-\w+)*|(?:left|right)|border-(?:top|bottom)-(?:left|right)-radius|float: (?:left|right)|clear: (?:left|right)|text-align: (?:left|right))\s*[:;]/;

/**
 * Whether a line names a left and a right side: a shorthand of four sides whose second and fourth differ, or a translation along
 * the line.
 */
function isPhysical(line: string): boolean {
  const [, , right, , left] = /^\s*(?:margin|padding|inset|border-(?:width|color|style)): (\S+) (\S+) (\S+) ([^\s;]+);/.exec(line) ?? [];
  const [, one, two, three, four] = /^\s*border-radius: (\S+) (\S+) (\S+) ([^\s;]+);/.exec(line) ?? [];
  const turned = /translateX\(|background-position: (?:left|right)|^\s*(?:left|right) [\d.]/.test(line);
  return PHYSICAL.test(line) || right !== left || one !== two || three !== four || turned;
}

/** Lines that may name a side, each with the reason. */
const REASONS: Readonly<Record<string, string>> = {
  'control-plane/dashboard/styles/figures.css: left: 0;': 'a plot is left to right, and its box is placed by pixels from the left',
  'control-plane/dashboard/styles/controls.css: right 1rem center,': 'background-position has no logical sides: see [dir="rtl"] below it',
  'control-plane/dashboard/styles/controls.css: right 0.6875rem center;': 'the same',
  'control-plane/dashboard/styles/controls.css: left 0.6875rem center,': 'of [dir="rtl"] alone',
  'control-plane/dashboard/styles/controls.css: left 1rem center;': 'of [dir="rtl"] alone',
  'control-plane/dashboard/styles/controls.css: transform: translateX(1rem);': 'turned for [dir="rtl"] below it',
  'control-plane/dashboard/styles/controls.css: transform: translateX(-1rem);': 'of [dir="rtl"] alone',
};

t.test('the search finds lines that name a physical side', async (t) => {
  for (const line of [
    '  margin-left: auto;',
    '  border-right-color: red;',
    '  left: 0;',
    '  text-align: right;',
    '  padding: 0 1rem 0 0;',
    '  border-radius: 1px 0 0 1px;',
    '  transform: translateX(1rem);',
  ])
    t.ok(isPhysical(line), line);
  for (const line of [
    '  margin-inline-start: auto;',
    '  padding: 0 1rem 2px 1rem;',
    '  inset: 0;',
    '  text-align: start;',
    '  justify-content: left-over;',
    '  border-radius: 1px;',
    '  transform: scaleX(-1);',
  ])
    t.notOk(isPhysical(line), line);
});

t.test('style sheets of the dashboard name no physical side, so that the page can run from right to left', async (t) => {
  const sheets = treeFiles().filter((file) => file.startsWith('control-plane/dashboard/') && file.endsWith('.css'));
  t.ok(sheets.length > 10);
  const found = sheets.flatMap((file) =>
    readTreeFile(file)
      .split('\n')
      .filter(isPhysical)
      .map((line) => `${file}: ${line.trim()}`),
  );
  t.same(
    found.filter((line) => REASONS[line] === undefined),
    [],
    'use margin-inline, inset-inline-start, text-align: start, border-start-start-radius and the like',
  );
  t.same(
    Object.keys(REASONS).filter((line) => !found.includes(line)),
    [],
    'the line no longer exists: remove its reason',
  );
});
