import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { mmdbOf } from '../support/mmdb.js';
import { type CreatedLink, startStack, untilReplicated } from '../support/stack.js';
import { until } from '../support/until.js';
import { ANDROID, DESKTOP, IPHONE } from '../support/visitor.js';

const countries = join(t.testdir(), 'countries.mmdb');
writeFileSync(countries, mmdbOf({ '127.0.0.0/8': 'DE' }));
const stack = await startStack(t, { processes: 1, environment: { COUNTRY_DATABASE: countries } });
const { controlPlane, project } = stack;
const PASSWORD = 'sesame';
const LONG = `/?link=${encodeURIComponent('https://www.shop.example/p/1?a=b')}&utm_term=own`;

interface Answer {
  readonly status: number;
  readonly destination: string | null;
}

function visit(path: string, userAgent: string): Promise<Answer> {
  const headers = {
    host: project.linkHost,
    'user-agent': userAgent,
    authorization: `Basic ${Buffer.from(`:${PASSWORD}`).toString('base64')}`,
  };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: stack.engine.port, path, agent: false, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, destination: response.headers.location ?? null }));
    })
      .on('error', reject)
      .end();
  });
}

/** What the tester says of a visitor who knows the password. */
async function tested(path: string, user_agent: string): Promise<Answer> {
  const asked = { path, user_agent, country: 'DE' };
  const { body } = await controlPlane.call<Answer & { outcome: string }>(project, 'POST', '/links/test', asked);
  return { status: body.outcome === 'password_page' ? 302 : body.status, destination: body.destination };
}

t.test('with every rule the tester says what a visitor gets: of a link, of its alias and of a long link', async (t) => {
  const { status, body: link } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', {
    path: 'rules',
    destinations: { web: 'https://stored.example/', ios: 'https://apps.apple.com/app/id1', android: 'https://stored.example/android' },
    utm_source: 'stored',
    utm_term: 'stored',
    allow_param_passthrough: true,
    aliases: [{ host: project.linkHost, path: 'some/alias' }],
  });
  t.equal(status, 201, JSON.stringify(link));
  const environment = { long_link_hosts: ['www.shop.example'], long_link_path: 'rules' };
  const named = await controlPlane.call(project, 'PATCH', '/environment', environment);
  t.equal(named.status, 200, JSON.stringify(named.body));
  await untilReplicated(stack);
  await until(async () => (await visit(LONG, DESKTOP)).status === 302, 'the setting of long links to be in effect');
  const none = { max_clicks: null, password: null, geo: null, active_from: null, expires_at: null, interstitial: false, status: 'active' };
  for (const rules of [
    {},
    { max_clicks: 1000 },
    { password: PASSWORD },
    { max_clicks: 1000, password: PASSWORD },
    { geo: { DE: 'https://stored.example/de' } },
    { geo: { DE: 'https://stored.example/de' }, max_clicks: 1000 },
    { interstitial: null, password: PASSWORD },
    { active_from: '2020-01-01T00:00:00Z' },
    { active_from: '2090-01-01T00:00:00Z', max_clicks: 1000 },
    { expires_at: '2090-01-01T00:00:00Z', password: PASSWORD },
    { status: 'disabled', password: PASSWORD },
  ]) {
    const changed = await controlPlane.call(project, 'PATCH', `/links/${link.id}`, { ...none, ...rules });
    t.equal(changed.status, 200, JSON.stringify(changed.body));
    await untilReplicated(stack);
    for (const path of ['/rules?ref=mail', '/some/alias?ref=mail', `${LONG}&ref=mail`])
      for (const [name, userAgent] of Object.entries({ DESKTOP, IPHONE, ANDROID }))
        t.same(await visit(path, userAgent), await tested(path, userAgent), `${JSON.stringify(rules)} ${path} ${name}`);
  }
});
