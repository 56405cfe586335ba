import t from 'tap';
import type { PlannedLink } from '../../../control-plane/imports/plan-link.js';
import { Trial } from '../../../control-plane/imports/trial.js';
import type { Link, LinkCreate } from '../../../shared/contract/schemas/link.js';

const plan = (body: LinkCreate): PlannedLink => ({
  source: { id: '', addresses: [], fields: {}, lost: [] },
  body,
  lost: [],
  ownPathsTaken: null,
});
const made = { path: 'a', created_at: '2021-01-01T00:00:00.000Z' } as Link;
const one: LinkCreate = { path: 'a', destinations: { web: 'https://Shop.example' }, created_at: '2021-01-01T00:00:00Z' };

t.test('a dry run recognises a link by its address, time of creation and web destination', async (t) => {
  const trial = new Trial();
  trial.add(plan(one), made, 'go.example.com');
  const has = (body: LinkCreate) => trial.has(plan(body), 'go.example.com');
  t.ok(has(one));
  t.ok(has({ path: 'a', destinations: { web: 'https://shop.example/' } }));
  t.notOk(has({ ...one, domain: 'go.brand.example' }), 'the same path on another host is another link');
  t.notOk(has({ ...one, created_at: '2021-01-02T00:00:00Z' }));
  t.notOk(has({ ...one, destinations: { web: 'https://other.example/' } }));
  t.notOk(has({ ...one, path: 'b' }));
});

t.test('a dry run refuses a path at which the host of the link has an alias, until and after its batch has ended', async (t) => {
  const whole = new Trial();
  const trial = new Trial(whole);
  trial.add(plan({ path: 'b', aliases: [{ host: 'go.brand.example', path: 'a' }] }), { ...made, path: 'b' }, 'go.example.com');
  const refused = (by: Trial, domain?: string) => by.refusalOf(plan({ path: 'a', ...(domain ? { domain } : {}) }), 'go.example.com');
  t.match(refused(trial, 'go.brand.example')?.detail, /go.brand.example\/a is an alias/);
  t.equal(refused(trial), null);
  t.equal(refused(whole, 'go.brand.example'), null);
  trial.end();
  t.ok(refused(whole, 'go.brand.example'));
  t.ok(refused(new Trial(whole), 'go.brand.example'));
});

t.test('a dry run remembers a limited number of addresses', async (t) => {
  const trial = new Trial(null, 1);
  trial.add(plan(one), made, 'go.example.com');
  trial.add(plan({ path: 'b' }), { ...made, path: 'b' }, 'go.example.com');
  t.ok(trial.refusalOf(plan({ path: 'a' }), 'go.example.com'));
  t.equal(trial.refusalOf(plan({ path: 'b' }), 'go.example.com'), null);
});
