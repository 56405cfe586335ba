import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { mmdbOf } from '../support/mmdb.js';
import { type CreatedLink, startStack, untilReplicated, waitForClicks } from '../support/stack.js';
import { until } from '../support/until.js';

const countries = join(t.testdir(), 'countries.mmdb');
writeFileSync(countries, mmdbOf({ '127.0.0.0/8': 'DE' }));
const stack = await startStack(t, { environment: { COUNTRY_DATABASE: countries } });
const { controlPlane, project } = stack;
const WEB = 'https://destination.example/';

async function create(body: object): Promise<CreatedLink> {
  const { status, body: link } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', { destinations: { web: WEB }, ...body });
  t.equal(status, 201);
  return link;
}

/** Makes a visit over a connection of its own, so that any process may receive it. Returns where it leads, or its status. */
function visit({ path }: CreatedLink, headers: Readonly<Record<string, string>> = {}): Promise<string | number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port: stack.engine.port, path: `/${path}`, agent: false, headers: { host: project.linkHost, ...headers } },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.headers.location ?? response.statusCode ?? 0));
      },
    );
    outgoing.on('error', reject).end();
  });
}

const statusOf = async ({ id }: CreatedLink) => (await controlPlane.call<{ status: string }>(project, 'GET', `/links/${id}`)).body.status;

t.test('a link redirects exactly its maximum of clicks over all processes, and an event says when they are used up', async (t) => {
  const limited = await create({ max_clicks: 25 });
  const answers = (await Promise.all(Array.from({ length: 80 }, () => visit(limited)))).map(String);
  t.equal(answers.filter((answer) => answer === WEB).length, 25);
  t.equal(answers.filter((answer) => answer === '410').length, 55);
  t.equal(await waitForClicks(stack, 25), 25, 'every answered click is stored');
  t.equal(await statusOf(limited), 'expired');
  const told = async (count: number) =>
    until(async () => {
      const rows = await stack.rows(`SELECT 1 FROM events WHERE type = 'link.disabled' AND body::json #>> '{data,id}' = $1`, [limited.id]);
      return rows.length === count;
    }, 'the event link.disabled');
  await told(1);
  await controlPlane.call(project, 'PATCH', `/links/${limited.id}`, { max_clicks: 27 });
  await untilReplicated(stack);
  t.same([await visit(limited), await visit(limited), await visit(limited)], [WEB, WEB, 410], 'a raised maximum allows two more clicks');
  await told(2);
});

t.test('killed processes do not let a link exceed its maximum of clicks', async (t) => {
  const limited = await create({ max_clicks: 30 });
  let led = 0;
  for (let round = 0; round < 3; round++) {
    const visits = Array.from({ length: 20 }, () => visit(limited).catch(() => 0));
    await until(() => stack.engine.killProcess('redirect-0'), 'a process to kill');
    led += (await Promise.all(visits)).filter((answer) => answer === WEB).length;
  }
  await until(async () => {
    const answer = await visit(limited).catch(() => 0);
    if (answer === WEB) led++;
    return answer === 410;
  }, 'all clicks of the link to be used up');
  t.ok(led <= 30, `${led} of 30`);
});

t.test('a link asks for its password from the first visit on, and follows a changed or removed password', async (t) => {
  const closed = await create({ password: 'sésame' });
  const with_ = (password: string) => ({ authorization: `Basic ${Buffer.from(`:${password}`).toString('base64')}` });
  t.equal(await visit(closed), 401, 'the first visit is asked for the password');
  t.equal(await visit(closed, with_('sesame')), 401);
  t.equal(await visit(closed, with_('sésame')), WEB);
  await controlPlane.call(project, 'PATCH', `/links/${closed.id}`, { password: 'other' });
  await untilReplicated(stack);
  t.same([await visit(closed, with_('sésame')), await visit(closed, with_('other'))], [401, WEB]);
  await controlPlane.call(project, 'PATCH', `/links/${closed.id}`, { password: null });
  await untilReplicated(stack);
  t.equal(await visit(closed), WEB);
});

t.test('a link redirects by the visitor’s country, and only from its start time on', async (t) => {
  const link = await create({ geo: { DE: 'https://destination.example/de' } });
  t.equal(await visit(link), 'https://destination.example/de', 'the country is looked up in the operator’s file');
  const later = await create({ active_from: new Date(Date.now() + 1500).toISOString() });
  t.equal(await visit(later), 404);
  t.equal(await statusOf(later), 'scheduled');
  await until(async () => (await visit(later)) === WEB, 'the start time of the link');
});

t.test('a long link leads only to permitted hosts, and to no URL on the block list', async (t) => {
  const stored = await create({ path: 'long' });
  await controlPlane.call(project, 'PATCH', '/environment', { long_link_hosts: ['www.shop.example'], long_link_path: 'long' });
  await stack.rows(`INSERT INTO blocklist_lists (name, format, entries, imported_at) VALUES ('a', 'plain', 1, now())`);
  await stack.rows(`INSERT INTO blocklist_entries (key, list) VALUES ('www.shop.example/bad', 'a')`);
  await untilReplicated(stack);
  const long = (url: string) => visit({ ...stored, path: `?link=${encodeURIComponent(url)}` });
  await until(
    async () => (await long('https://www.shop.example/good')) === 'https://www.shop.example/good',
    'the setting of long links to be in effect',
  );
  t.equal(await long('https://www.shop.example/bad'), 403);
  t.equal(await long('https://evil.example/'), 404);
  await until(async () => {
    const rows = await stack.rows(`SELECT params FROM clicks WHERE path = 'long' AND destination = 'https://www.shop.example/good'`);
    return rows.length > 0;
  }, 'the click of the long link');
});
