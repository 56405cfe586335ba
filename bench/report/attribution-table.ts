import type { AttributionScenario, Tally } from '../attribution/simulate.js';
import { newTable } from './table.js';

/** Matches claimed by each rule, one table for each scenario. */
export function attributionTableOf(scenarios: readonly AttributionScenario[]): string {
  return scenarios.map(({ title, figures }) => `${title}\n${attributionTable(figures)}`).join('\n\n');
}

function attributionTable({ rules, places, browsers, newest, byLink }: AttributionScenario['figures']): string {
  const table = newTable(['rule', 'matches claimed', 'precision', 'of the right link', 'recall: of installs by a link'], {
    colAligns: ['left', 'right', 'right', 'right', 'right'],
  });
  const percent = (part: number, whole: number) => (whole === 0 ? '' : `${((part / whole) * 100).toFixed(2)} %`);
  const row = (name: string, { claimed, correct, rightLink }: Readonly<Tally>, installs = byLink) =>
    table.push([name, claimed, percent(correct, claimed), percent(rightLink, claimed), percent(correct, installs)]);
  for (const [rule, tally] of Object.entries(rules)) row(rule, tally);
  for (const [place, tally] of Object.entries(places)) row(`  probabilistic, ${place}`, tally);
  for (const [browser, { installs, tally }] of Object.entries(browsers))
    row(`  probabilistic, of ${installs} by ${browser}`, tally, installs);
  const sum = (of: keyof Tally) => Object.values(rules).reduce((total, tally) => total + tally[of], 0);
  row('all rules', { claimed: sum('claimed'), correct: sum('correct'), rightLink: sum('rightLink') });
  row('(probabilistic, were the newest of several taken)', newest);
  return table.toString();
}
