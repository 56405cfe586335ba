import { createHash } from 'node:crypto';
import t from 'tap';
import type { ApiDocument } from '../../../control-plane/docs/document.js';
import { docsPage } from '../../../control-plane/docs/page.js';
import { openApiDocument } from '../../../shared/contract/openapi.js';
import { OPERATION_IDS, ROUTES } from '../../../shared/contract/routes.js';
import { EVENT_TYPES } from '../../../shared/contract/schemas/events.js';

const document = JSON.parse(JSON.stringify(openApiDocument(ROUTES, { serviceName: 'Service', version: '1.2.3' }))) as ApiDocument;
const { html, policy } = docsPage(document);

t.test('every operation and event has its place, and every link leads to one', async (t) => {
  const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
  for (const id of OPERATION_IDS) t.ok(anchors.has(id), id);
  t.equal([...anchors].filter((anchor) => anchor?.startsWith('on')).length, EVENT_TYPES.length);
  const links = [...html.matchAll(/href="([^"]+)"/g)].map((match) => match[1] as string);
  for (const link of links) t.ok(link === '/v1/openapi.json' || anchors.has(link.slice(1)), link);
});

t.test('nothing is loaded and nothing runs, and the policy allows the one style', async (t) => {
  t.notMatch(html, /<script|<link|<img|<iframe|\son\w+=|@import|url\(/i);
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] as string;
  t.match(policy, `'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  t.notMatch(policy, /unsafe/);
});

t.test('fields are shown with their path, type and bounds, and examples as JSON', async (t) => {
  for (const text of [
    'destinations.ios',
    'data[].id',
    'array of object',
    '1 to 64 characters',
    '(default: <code>false</code>)',
    'X-Service-Signature',
    'rate_limited',
  ])
    t.match(html, text);
  t.match(html, '&#34;utm_source&#34;: &#34;newsletter&#34;');
});

t.test('text of the document cannot become markup', async (t) => {
  const hostile = '<b onclick="x">&\'`<i>`';
  const poisoned = JSON.parse(JSON.stringify(document), (key, value) =>
    typeof value === 'string' && !key.startsWith('$') && key !== 'url' ? `${value}${hostile}` : value,
  );
  const page = docsPage({ ...poisoned, tags: document.tags, paths: document.paths, info: poisoned.info } as ApiDocument).html;
  const all = docsPage(poisoned as ApiDocument).html;
  for (const text of [page, all]) t.notMatch(text, /<b onclick|<i>/);
});
