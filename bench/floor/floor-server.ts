import { App, type HttpRequest, type HttpResponse, us_socket_local_port } from 'uWebSockets.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCH_HOST } from '../load/links.js';
import { ANDROID, DESKTOP, FloorIndex, IOS, WEB } from './floor-index.js';
import { type FloorClick, FloorSegment } from './floor-segment.js';

// The floor: a whole visit with everything that it cannot do without, and nothing else. Every header is read, so that a
// second Host is noticed; the link is found in a mapped index; the user agent gives system and bot; the click is stored
// in a mapped segment; the answer is a 302. What a redirect process costs beyond this is the price of checksums,
// templates, campaigns, queries, pages, limits and several environments. FLOOR_LINKS is the number of links.

interface UserAgent {
  readonly number: number;
  readonly system: number;
  readonly bot: boolean;
}

const USER_AGENTS_MAX = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'bench-floor-'));
const index = new FloorIndex(folder, Number(process.env.FLOOR_LINKS));
const segment = new FloorSegment(folder);
// Mapped files remain usable after they were removed.
rmSync(folder, { recursive: true });
const userAgents = new Map<string, UserAgent>();
let userAgentsSeen = 0;

function systemOf(userAgent: string): number {
  if (userAgent.includes('iPhone')) return IOS;
  if (userAgent.includes('Android')) return ANDROID;
  return /Windows|Macintosh|X11/.test(userAgent) ? DESKTOP : WEB;
}

function recognise(text: string): UserAgent {
  const known = userAgents.get(text);
  if (known !== undefined) return known;
  if (userAgents.size > USER_AGENTS_MAX) userAgents.clear();
  const userAgent = { number: userAgentsSeen++, system: systemOf(text), bot: /bot|facebookexternalhit/i.test(text) };
  userAgents.set(text, userAgent);
  segment.defineUserAgent(userAgent.number, text);
  return userAgent;
}

const facts = { host: '', hosts: 0, user_agent: '', referrer: '', address: '' };

/** The length is compared first, because it rules out most headers. */
function readHeader(name: string, value: string): void {
  switch (name.length) {
    case 4:
      if (name === 'host') {
        facts.host = value;
        facts.hosts++;
      }
      break;
    case 7:
      if (name === 'referer') facts.referrer = value;
      break;
    case 10:
      if (name === 'user-agent') facts.user_agent = value;
      break;
    case 15:
      if (name === 'x-forwarded-for') facts.address = value;
      break;
  }
}

const now = { ms: Date.now() };
setInterval(() => {
  now.ms = Date.now();
}, 1).unref();
const click: FloorClick = { system: 0, at_ms: 0, user_agent: 0, record: 0, referrer: '', query: '', address: '' };

function visit(response: HttpResponse, request: HttpRequest): void {
  facts.host = '';
  facts.user_agent = '';
  facts.referrer = '';
  facts.address = '';
  facts.hosts = 0;
  request.forEach(readHeader);
  if (facts.hosts !== 1) {
    response.close();
    return;
  }
  const record = facts.host === BENCH_HOST ? index.find(request.getUrl()) : -1;
  if (record === -1 || !index.isActive(record)) {
    response.writeStatus('404 Not Found').end();
    return;
  }
  const expiresAt = index.expiresAt(record);
  if (expiresAt !== 0 && expiresAt < now.ms / 1000) {
    response.writeStatus('410 Gone').end();
    return;
  }
  const userAgent = recognise(facts.user_agent);
  click.system = userAgent.system;
  click.at_ms = now.ms;
  click.user_agent = userAgent.number;
  click.record = record;
  click.referrer = facts.referrer;
  click.query = request.getQuery() ?? '';
  click.address = facts.address;
  segment.click(click);
  response.writeStatus(`302 Found\r\nCache-Control: private, no-store\r\nLocation: ${index.destination(record, userAgent.system)}`).end();
}

App()
  .any('/*', visit)
  .listen('127.0.0.1', 0, (socket) => {
    if (!socket) throw new Error('no port could be had');
    process.send?.({ type: 'ready', port: us_socket_local_port(socket) });
  });
process.on('disconnect', () => process.exit(0));
