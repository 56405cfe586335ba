import t from 'tap';
import { HABITS } from '../../bench/attribution/journeys.js';
import { simulateAttribution } from '../../bench/attribution/simulate.js';
import { World } from '../../bench/attribution/world.js';

/** The short form of `npm run bench -- attribution`: fewer people of the same kind at the same density. */
const figures = await simulateAttribution({ ...HABITS, installs: 20_000 });

t.test('with the default settings at least 99 % of the matches are correct, for every rule', async (t) => {
  for (const [rule, { claimed, correct, rightLink }] of Object.entries(figures.rules)) {
    t.ok(claimed > 300, `${rule}: ${claimed} claimed`);
    t.ok(correct / claimed >= 0.99, `${rule}: ${correct} of ${claimed}`);
    t.ok(rightLink / claimed >= 0.999, `${rule}: ${rightLink} of ${claimed} have the right link`);
  }
  t.ok(figures.places['carrier NAT'].claimed > 100 && figures.places.office.claimed > 100, 'matches at shared addresses are among them');
});

t.test('more than 85 % of the installs by a link are matched correctly', async (t) => {
  const correct = Object.values(figures.rules).reduce((sum, tally) => sum + tally.correct, 0);
  t.ok(correct / figures.byLink > 0.85, `${correct} of ${figures.byLink}`);
});

t.test('the simulation shows the difference between a rule that guesses and one that does not', async (t) => {
  const wrong = ({ claimed, correct }: { readonly claimed: number; readonly correct: number }) => claimed - correct;
  t.ok(figures.ambiguous > 100);
  // The newest click of one visitor hash is taken, and people of one household may share a hash. Both rules guess that much, and
  // nearly always within one link, where the app receives the same data.
  t.ok(wrong(figures.newest) > 1.25 * wrong(figures.rules.probabilistic), `${wrong(figures.newest)} ${wrong(figures.rules.probabilistic)}`);
});

t.test('device reports of pages find more installs, and matches stay as accurate', async (t) => {
  const without = await simulateAttribution({ ...HABITS, installs: 20_000, pagesTell: false });
  const [before, after] = [without.rules.probabilistic, figures.rules.probabilistic];
  t.equal(without.byLink, figures.byLink, 'both simulations have the same installs');
  t.ok(after.correct > 1.03 * before.correct, `${before.correct} before, ${after.correct} after`);
  for (const [browser, least] of [
    ['Chrome on Android', 0.5],
    ['Safari on an iPad', 0.15],
  ] as const) {
    const { installs, tally } = figures.browsers[browser];
    t.ok(installs > 50 && tally.correct > least * installs, `${browser}: ${tally.correct} of ${installs}`);
    t.ok(without.browsers[browser].tally.correct < 0.1 * installs, `${browser}: ${without.browsers[browser].tally.correct} before`);
  }
  t.ok(after.correct / after.claimed > before.correct / before.claimed - 0.001);
});

t.test('neighbours at a place share its address', async (t) => {
  const world = new World(600_000);
  for (const place of ['home', 'office', 'carrier NAT', 'carrier IPv6'] as const)
    for (let person = 0; person < 200; person++) {
      const other = world.neighbour(person, place, 1);
      t.equal(world.address(other, place), world.address(person, place));
      t.ok(other >= 0 && other < world.people);
    }
  t.not(world.neighbour(0, 'office', 1), 0);
  t.not(world.address(0, 'office'), world.address(1, 'office'), 'members of one home do not share an office');
});
