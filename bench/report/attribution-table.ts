import Table from 'cli-table3';
import type { AttributionScenario } from '../attribution/simulate.js';

/** Matches claimed by each rule, one table for each scenario. */
export function attributionTableOf(scenarios: readonly AttributionScenario[]): string {
  return scenarios.map(({ title, figures }) => `${title}\n${attributionTable(figures)}`).join('\n\n');
}

function attributionTable({ rules, places, newest, byLink }: AttributionScenario['figures']): string {
  const table = new Table({
    head: ['rule', 'matches claimed', 'precision', 'recall: of installs by a link'],
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right'],
  });
  const percent = (part: number, whole: number) => (whole === 0 ? '' : `${((part / whole) * 100).toFixed(2)} %`);
  const row = (name: string, { claimed, correct }: { readonly claimed: number; readonly correct: number }) =>
    table.push([name, claimed, percent(correct, claimed), percent(correct, byLink)]);
  for (const [rule, tally] of Object.entries(rules)) row(rule, tally);
  for (const [place, tally] of Object.entries(places)) row(`  probabilistic, ${place}`, tally);
  const sum = (of: 'claimed' | 'correct') => Object.values(rules).reduce((total, tally) => total + tally[of], 0);
  row('all rules', { claimed: sum('claimed'), correct: sum('correct') });
  row('(probabilistic, were the newest of several taken)', newest);
  return table.toString();
}
