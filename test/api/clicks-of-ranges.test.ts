import t, { type Test } from 'tap';
import { DAY_RANGES } from '../../shared/base/day-ranges.js';
import { newId } from '../../shared/base/ids.js';
import { connect, countLoggedClicks, logClicks, loggedClick } from '../support/click-log.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

/** Tests queries of clicks that give their days as a named range. */

// In Berlin, the time zone of the project, the first of March has begun; in UTC it is still February.
const NOW = Date.parse('2026-02-28T23:30:00Z');
const api = await startApiServer(t, { clock: () => NOW });
const client = await connect(api.databaseUrl);
t.teardown(() => client.end());

const ask = (t: Test, query: string) => call(t, api.baseUrl, `GET /stats/clicks?${query}`, { key: api.liveKey });

const DAYS = {
  today: ['2026-03-01', '2026-03-01'],
  last_7_days: ['2026-02-23', '2026-03-01'],
  last_30_days: ['2026-01-31', '2026-03-01'],
  last_90_days: ['2025-12-02', '2026-03-01'],
  this_month: ['2026-03-01', '2026-03-01'],
  last_month: ['2026-02-01', '2026-02-28'],
} as const satisfies Record<(typeof DAY_RANGES)[number], readonly [string, string]>;

t.test('a range stands for its days in the time zone of the project', async (t) => {
  for (const range of DAY_RANGES) {
    // Clicks are kept for 90 days here, so that there are none before these days to compare with.
    const compare = range !== 'last_90_days';
    const { status, json } = await ask(t, `range=${range}&interval=day&compare=${compare}`);
    const [from, to] = DAYS[range];
    t.equal(status, 200, range);
    t.same([json.from, json.to, json.timezone], [from, to, 'Europe/Berlin'], range);
    const { json: named } = await ask(t, `from=${from}&to=${to}&interval=day&compare=${compare}`);
    t.same({ ...json, as_of: named.as_of }, named, 'as if its days had been named');
  }
  const { json } = await ask(t, 'range=last_90_days&compare=true');
  t.match(json.errors, [{ pointer: '/range', code: 'invalid_range', detail: /compare/ }]);
});

t.test('the clicks of those days are counted', async (t) => {
  const { rows } = await client.query<{ number: number }>('SELECT number FROM environments WHERE id = $1', [api.live.id]);
  const link = newId('link');
  const at = (time: string) => loggedClick(link, Date.parse(time), { subject: link, country: 'DE', bot: false });
  await logClicks(client, rows[0]?.number as number, [at('2026-02-28T22:59:00Z'), at('2026-02-28T23:01:00Z'), at('2026-02-28T23:02:00Z')]);
  await countLoggedClicks(api.databaseUrl, NOW);
  for (const [range, human] of [
    ['today', 2],
    ['last_month', 1],
    ['last_7_days', 3],
  ] as const)
    t.equal((await ask(t, `range=${range}&country=DE&platform=ios`)).json.totals.human, human, range);
});

t.test('an unknown range is refused, and so is a range that is sent together with days', async (t) => {
  for (const [query, pointer, code] of [
    ['range=today&from=2026-02-01', '/range', 'invalid_range'],
    ['range=today&to=2026-02-01', '/range', 'invalid_range'],
    ['range=last_month&from=2026-02-01&to=2026-02-28', '/range', 'invalid_range'],
    ['range=tomorrow', '/range', 'invalid_value'],
    ['range=', '/range', 'invalid_value'],
  ] as const) {
    const { status, json } = await ask(t, query);
    t.equal(status, 422, query);
    t.match(json.errors, [{ in: 'query', pointer, code }], query);
  }
});
