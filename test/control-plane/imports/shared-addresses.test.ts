import t from 'tap';
import type { PlannedLink } from '../../../control-plane/imports/plan-link.js';
import { contestedPlans, heldBack } from '../../../control-plane/imports/shared-addresses.js';
import type { LinkCreate } from '../../../shared/contract/schemas/link.js';

const plan = (body: LinkCreate): PlannedLink => ({
  source: { id: '', addresses: [], fields: {}, lost: [] },
  body,
  lost: [],
  ownPathsTaken: null,
});
const alias = (path: string) => ({ host: 'go.brand.example', path });

t.test('links with a path in common are contested, also if one has it as an alias or writes it in another way', async (t) => {
  const plans = [
    { path: 'a' },
    { path: 'b', aliases: [alias('a')] },
    { path: 'c', aliases: [alias('x/%C3%A9')] },
    { aliases: [alias('/x/é/')] },
    { path: 'd', aliases: [alias('d')] },
    { path: 'A' },
  ].map(plan);
  t.same(
    plans.map((one) => contestedPlans(plans).has(one)),
    [true, true, true, true, false, false],
  );
});

t.test('a link waits for an earlier one with its address, unless both only want the same path', async (t) => {
  const heldOf = (...bodies: readonly LinkCreate[]) => {
    const attempts = bodies.map((body) => ({ plan: plan(body), byAlias: false }));
    const held = heldBack(attempts);
    return attempts.map((attempt) => held.has(attempt));
  };
  t.same(heldOf({ path: 'a' }, { path: 'a' }), [false, false]);
  t.same(heldOf({ path: 'a' }, { path: 'b', aliases: [alias('a')] }), [false, true]);
  t.same(heldOf({ path: 'b', aliases: [alias('a')] }, { path: 'a' }), [false, true]);
  t.same(heldOf({ aliases: [alias('a')] }, { aliases: [alias('a')] }), [false, true]);
  t.same(heldOf({ path: 'a' }, { path: 'b', aliases: [alias('a')] }, { path: 'b' }), [false, true, true], 'or for one that waits');
});
