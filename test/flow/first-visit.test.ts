import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import t from 'tap';
import { createPool, createDatabase as openDatabase } from '../../control-plane/db/database.js';
import { createKey } from '../../control-plane/keys/keys.js';
import type { SdkOpenResult } from '../../shared/contract/schemas/sdk.js';
import { type CreatedLink, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { CHROME, SAFARI } from '../support/visitor.js';

const stack = await startStack(t, { environment: { TRUSTED_PROXY_HOPS: '1' } });
const { controlPlane, project, engine } = stack;
const appKey = await makeAppKey();

async function makeAppKey(): Promise<string> {
  const pool = createPool(stack.databaseUrl, 1, 'test', () => {});
  try {
    const of = { environmentId: project.environmentId, environment: 'live', kind: 'publishable', name: 'app' } as const;
    return (await createKey(openDatabase(pool), of, Date.now())).key;
  } finally {
    await pool.end();
  }
}

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly body: string;
}

/** Makes one request to the host of the URL, from a device behind the address. */
function get(url: string, userAgent: string, address: string): Promise<Answer> {
  const { host, pathname, search } = new URL(url);
  const headers = { host, 'user-agent': userAgent, 'x-forwarded-for': address };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: engine.port, path: pathname + search, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '', body: Buffer.concat(pieces).toString() }),
      );
    })
      .on('error', reject)
      .end();
  });
}

async function firstOpen(address: string, device: object): Promise<SdkOpenResult> {
  const response = await fetch(`${controlPlane.baseUrl}/sdk/opens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${appKey}`, 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ install_id: randomUUID(), first_open: true, device }),
  });
  t.equal(response.status, 200);
  return (await response.json()) as SdkOpenResult;
}

async function makeLink(destinations: object): Promise<CreatedLink> {
  const { status, body } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', { deep_link_path: '/item/1', destinations });
  t.equal(status, 201);
  return body;
}

const reportStored = (count: number) =>
  until(async () => (await stack.rows('SELECT 1 FROM click_devices')).length === count, 'the report of the page in the database');

/** The URL to which the page reports what it has learnt, from an attribute of its body. */
function reportUrl(page: Answer, origin: string): string {
  const path = /<body data-device="([^"]+)"/.exec(page.body)?.[1] ?? '';
  t.match(path, '/.well-known/click-device?click_id=clk_');
  return `${origin}${path.replaceAll('&#38;', '&')}`;
}

t.test('a first visit of Chrome on Android is matched to the first open of the app', async (t) => {
  const address = '203.0.113.14';
  const link = await makeLink({ android: 'https://play.google.com/store/apps/details?id=com.shop' });
  const visit = await get(`http://${project.linkHost}/${link.path}`, CHROME, address);
  t.equal(visit.status, 302);
  const page = await get(visit.location, CHROME, address);
  t.equal(page.status, 200);
  const { status } = await get(`${reportUrl(page, new URL(visit.location).origin)}&version=14.0.0&model=Pixel%208`, CHROME, address);
  t.equal(status, 204);
  await reportStored(1);
  t.match(await firstOpen(address, { os: 'android', os_version: '14', model: 'Pixel 8' }), {
    attribution: 'attributed',
    match_type: 'probabilistic',
    matched_factors: ['address', 'os_version', 'model'],
    click_id: new URL(visit.location).searchParams.get('click_id'),
    link: { id: link.id },
    deep_link_path: '/item/1',
  });
  t.same(
    await stack.rows('SELECT platform, os_version FROM clicks'),
    [{ platform: 'android', os_version: null }],
    'one click is stored, without the reported version',
  );
});

t.test('an iPad with the user agent of a Mac is matched to its first open, for a link with only an iOS destination', async (t) => {
  const address = '203.0.113.15';
  const link = await makeLink({ ios: 'https://apps.apple.com/app/id99' });
  const origin = `http://${project.linkHost}`;
  const page = await get(`${origin}/${link.path}`, SAFARI, address);
  t.equal(page.status, 200);
  t.equal((await get(`${reportUrl(page, origin)}&touch=5`, SAFARI, address)).status, 204);
  await reportStored(1);
  t.match(await firstOpen(address, { os: 'ios', os_version: '17.5.1' }), { match_type: 'probabilistic', link: { id: link.id } });
});
