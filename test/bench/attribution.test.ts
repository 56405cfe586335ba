import t from 'tap';
import { HABITS } from '../../bench/attribution/journeys.js';
import { simulateAttribution } from '../../bench/attribution/simulate.js';
import { World } from '../../bench/attribution/world.js';

/** The short form of `npm run bench -- attribution`: the same people in the same density, fewer of them. */
const figures = await simulateAttribution({ ...HABITS, installs: 20_000 });

t.test('of the matches that are claimed with the default settings at least 99 % are right, by every rule', async (t) => {
  for (const [rule, { claimed, correct }] of Object.entries(figures.rules)) {
    t.ok(claimed > 300, `${rule}: ${claimed} claimed`);
    t.ok(correct / claimed >= 0.99, `${rule}: ${correct} of ${claimed}`);
  }
  t.ok(figures.places['carrier NAT'].claimed > 100 && figures.places.office.claimed > 100, 'shared addresses are among them');
});

t.test('most installs by a link are found', async (t) => {
  const correct = Object.values(figures.rules).reduce((sum, tally) => sum + tally.correct, 0);
  t.ok(correct / figures.byLink > 0.85, `${correct} of ${figures.byLink}`);
});

t.test('it can tell a rule that guesses from one that does not', async (t) => {
  const wrong = ({ claimed, correct }: { readonly claimed: number; readonly correct: number }) => claimed - correct;
  t.ok(figures.ambiguous > 100);
  t.ok(wrong(figures.newest) > 2 * wrong(figures.rules.probabilistic), `${wrong(figures.newest)} ${wrong(figures.rules.probabilistic)}`);
});

t.test('people behind one address are behind it together', async (t) => {
  const world = new World(600_000);
  for (const place of ['home', 'office', 'carrier NAT', 'carrier IPv6'] as const)
    for (let person = 0; person < 200; person++) {
      const other = world.neighbour(person, place, 1);
      t.equal(world.address(other, place), world.address(person, place));
      t.ok(other >= 0 && other < world.people);
    }
  t.not(world.neighbour(0, 'office', 1), 0);
  t.not(world.address(0, 'office'), world.address(1, 'office'), 'members of a home are no colleagues');
});
