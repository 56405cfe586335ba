import { request } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { connect } from '../support/click-log.js';
import { makeProject, type TestProject } from '../support/control-plane.js';
import { createDatabase } from '../support/database.js';
import { startStack, untilReplicated } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ANDROID, DESKTOP, IPHONE } from '../support/visitor.js';
import { startProcess } from '../support/whole-process.js';

// Tests that an export is complete: imported into an empty environment, it gives the same redirects.

const WHATSAPP = 'WhatsApp/2.24.1 A';
const USER_AGENTS = { DESKTOP, IPHONE, ANDROID, WHATSAPP };

const own = await createDatabase();
const from = await makeProject(own.url, 'from');
const targets = { ndjson: await makeProject(own.url, 'ndjson'), csv: await makeProject(own.url, 'csv') };
/** The second host of the project's environment, beside its link host. */
const brandOf = ({ linkHost }: TestProject) => linkHost.replace('go.', 'brand.');
const database = await connect(own.url);
for (const project of [from, ...Object.values(targets)])
  await database.query(
    `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
     VALUES ('dom_' || $2, $1, $2, 'verified', 'x', now(), now())`,
    [project.environmentId, brandOf(project)],
  );
await database.end();
const proxy = { TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'x-country' };
const stack = await startStack(t, { databaseUrl: own.url, project: from, environment: proxy });
t.teardown(() => own.drop());

async function linkd(...words: readonly string[]): Promise<void> {
  const folder = temporaryFolder(t);
  const log = join(folder, 'linkd.log');
  const started = startProcess('deploy/command-line/linkd.js', { DATABASE_URL: own.url, PUBLIC_LINK_SCHEME: 'http' }, log, {
    parameters: words,
  });
  t.match(await started.ended(), { code: 0 }, `${words.join(' ')}: ${started.output()}`);
}

interface Answer {
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly body: string;
}

function visit(host: string, path: string, userAgent: string): Promise<Answer> {
  const headers = { host, 'user-agent': userAgent, 'x-forwarded-for': '203.0.113.9', 'x-country': 'DE' };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: stack.engine.port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status, headers: answered } = response;
        resolve({ status, location: answered.location, body: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', reject).end();
  });
}

/** The answer to a visitor, without what differs between the environments. */
async function answerOf(project: TestProject, host: 'link' | 'brand', path: string, userAgent: string): Promise<object> {
  const { status, location, body } = await visit(host === 'link' ? project.linkHost : brandOf(project), path, userAgent);
  // The hosts and the project's name belong to the environment, and the click id belongs to the visit.
  const plain = (text: string) =>
    text.replaceAll(/\b(go|open|brand)\.(?:from|ndjson|csv)\.example/g, '$1.example').replaceAll(/clk_\w{26}/g, 'clk');
  const card = userAgent === WHATSAPP ? (body.match(/<meta property="[^>]*>/g) ?? []) : [];
  return {
    status,
    location: location === undefined ? null : plain(location),
    card: card.map((line) => plain(line).replaceAll(/\b(?:from|ndjson|csv)\b/g, 'name')),
  };
}

const WEB = 'https://shop.example/autumn';
const APPS = { ios: 'https://apps.apple.com/app/id1', android: 'https://play.google.com/store/apps/details?id=shop.example' };

/** Links of every kind; `on` is the second host of the environment. */
const linksFor = (on: string, linkHost: string) => [
  { path: 'plain', destinations: { web: WEB } },
  { path: 'apps', destinations: { web: WEB, ...APPS, desktop: 'https://shop.example/desktop' }, deep_link_path: '/item/1', data: { n: 1 } },
  { path: 'fallback', destinations: { fallback: 'https://shop.example/else' } },
  { path: 'defaults', title: 'without a destination of its own' },
  { path: 'branded', domain: on, destinations: { web: WEB }, card: { title: 'Card', image_url: 'https://shop.example/i.png' } },
  {
    path: 'aliased',
    destinations: { web: WEB },
    aliases: [
      { host: on, path: 'Caf\u00e9/1.html' },
      { host: linkHost, path: 'sale/2' },
    ],
  },
  { path: 'campaign', campaign: 'spring', utm_content: ' two blanks ', utm_term: "'=1+1", destinations: { web: WEB } },
  { path: 'passed', allow_param_passthrough: true, destinations: { web: WEB } },
  { path: 'direct', interstitial: false, destinations: { web: WEB, ...APPS } },
  { path: 'countries', geo: { DE: 'https://shop.example/de', FR: 'https://shop.example/fr' }, destinations: { web: WEB } },
  { path: 'later', active_from: '2040-01-01T00:00:00Z', destinations: { web: WEB } },
  { path: 'over', expires_at: '2020-01-01T00:00:00Z', created_at: '2019-01-01T00:00:00Z', destinations: { web: WEB } },
  { path: 'few', max_clicks: 1_000_000, destinations: { web: WEB } },
  { path: 'archived', archived: true, tags: ['one', 'two'], comments: 'two\nlines', destinations: { web: WEB } },
  { path: 'off', destinations: { web: WEB } },
];

const ADDRESSES = [
  ...linksFor('', '').map(({ path }) => ['link', `/${path}`] as const),
  ...(['/passed?a=1&b=%20x', '/plain?a=1', '/sale/2', '/none'] as const).map((path) => ['link', path] as const),
  ...(['/branded', '/plain', '/Caf%C3%A9/1.html', '/sale/2'] as const).map((path) => ['brand', path] as const),
];

t.test('exported links that are imported elsewhere redirect as before, once the settings of the environment are copied too', async (t) => {
  const call = async <Body>(project: TestProject, method: string, path: string, body?: unknown, status = 200) => {
    const answer = await stack.controlPlane.call<Body>(project, method, path, body);
    t.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const settings = {
    interstitial: true,
    default_destinations: { web: 'https://shop.example/home', ...APPS },
    append_click_id: false,
  };
  await call(from, 'PATCH', '/environment', settings);
  await call(from, 'POST', '/campaigns', { key: 'spring', name: 'Spring', utm_source: 'mail', utm_medium: 'news' }, 201);
  for (const link of linksFor(brandOf(from), from.linkHost)) {
    const { id } = await call<{ id: string }>(from, 'POST', '/links', link, 201);
    if (link.path === 'off') await call(from, 'PATCH', `/links/${id}`, { status: 'disabled' });
  }
  await untilReplicated(stack);
  const answers = async (project: TestProject) => {
    const found: Record<string, object> = {};
    for (const [host, path] of ADDRESSES)
      for (const [name, userAgent] of Object.entries(USER_AGENTS))
        found[`${name} ${host}${path}`] = await answerOf(project, host, path, userAgent);
    return found;
  };
  const before = await answers(from);
  t.match(before, {
    'DESKTOP link/plain': { status: 302, location: WEB },
    'DESKTOP link/defaults': { status: 302, location: 'https://shop.example/home' },
    'DESKTOP brand/Caf%C3%A9/1.html': { status: 302, location: WEB },
    'DESKTOP link/Caf%C3%A9/1.html': undefined,
    'DESKTOP link/countries': { status: 302, location: 'https://shop.example/de' },
    'DESKTOP link/over': { status: 410 },
    'DESKTOP link/off': { status: 404 },
    'WHATSAPP brand/branded': { status: 200, card: [/og:/, /./] },
  });
  const folder = temporaryFolder(t);
  for (const [format, to] of Object.entries(targets)) {
    const file = (name: string) => join(folder, `${name}.${format}`);
    for (const what of ['campaigns', 'links'])
      await linkd('export', what, '--env', from.environmentId, '--format', format, '--output', file(what));
    const { default_destinations, interstitial, append_click_id } = await call<typeof settings>(from, 'GET', '/environment');
    await call(to, 'PATCH', '/environment', { default_destinations, interstitial, append_click_id });
    await linkd('import', 'campaigns', '--env', to.environmentId, '--file', file('campaigns'));
    await linkd(
      ...['import', format, '--env', to.environmentId, '--file', file('links'), '--report', file('report')],
      ...['--domain', `${from.linkHost}=${to.linkHost}`, '--domain', `${brandOf(from)}=${brandOf(to)}`],
    );
    await untilReplicated(stack);
    t.same(await answers(to), before, format);
  }
});
