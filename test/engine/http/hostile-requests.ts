import type { ListenerKind } from '../../../engine/http/listener.js';
import type { LinkRecord } from '../../../shared/records/records.js';
import { linkRecord, NO_DESTINATIONS, templateRecord } from '../fixtures.js';
import { type Served, type ServedOptions, serve } from '../visit/served.js';
import { Pipeline } from './pipeline.js';
import type { RawAnswer } from './raw-http.js';
import { request } from './raw-http.js';

/** A generator of uniform random numbers from a seed (mulberry32, by Tommy Ettinger), so that a failed run can be repeated. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Pieces that have misdirected a redirect, or ended a header, in some server. */
const PIECES = [
  ...[
    'redir_url=',
    'url=',
    'a=own',
    '&a=1',
    '//other.example',
    '/\\other.example',
    '\\',
    '@other.example',
    ':8080',
    'https://other.example',
  ],
  ...['%00', '%0d%0aSet-Cookie:a', '%0D%0A%0D%0A<html>', '%u000aX:', '%E5%98%8A%E5%98%8DSet-Cookie:a', '%c0%8d%c0%8a', '%250d%250a', '%'],
  ...[
    '#',
    '?',
    '&',
    '=',
    ';',
    '"',
    "'",
    '<',
    '>',
    '%23',
    '%3F',
    '%2e%2e%2f',
    '/../',
    '//',
    'javascript:',
    '{',
    '}',
    '|',
    '^',
    '`',
    '+',
    'click_id=',
  ],
];

type Random = (below: number) => number;

function pieceOf(random: Random, byteMax: number): string {
  return random(3) > 0 ? (PIECES[random(PIECES.length)] as string) : String.fromCharCode(0x21 + random(byteMax - 0x20));
}

function textOf(random: Random, byteMax: number): string {
  let text = '';
  for (let count = random(12); count > 0; count--) text += pieceOf(random, byteMax);
  return text;
}

const DESTINATION = 'https://user@shop.example:8443/a%2Fb/item?redir_url=own#top';

/** An id of this template may hold every character but those that no id format allows. */
const TEMPLATE = templateRecord({
  id_format: { kind: 'charset', charset: ' -~\u00a1-\ud7ff\ue000-\ufffc', min_length: 1, max_length: 256 },
  redirects: { ...NO_DESTINATIONS, web: 'https://shop.example/i/{id}?q={id}#{id}' },
  path_pattern: '/i/{id}',
});

/** How many destinations to plant that none of our checks would let into the database. */
const PLANTED = 64;

function plantedDestination(random: Random): string {
  const begin = ['https://shop.example/', 'http://', 'https:', 'javascript:', 'shop://', '//', ''][random(7)] as string;
  const raw = ['\r\n', '\n', '\r', '\0', ' ', '\u007f', '\u0100', '\ud800', '\u2028', '\t'];
  let text = begin;
  for (let count = random(8); count > 0; count--) text += random(2) === 0 ? (raw[random(raw.length)] as string) : pieceOf(random, 0xff);
  return text;
}

interface Question {
  readonly bytes: string;
  /** What is wrong with the answer; '' if nothing is. */
  readonly judge: (answer: RawAnswer) => string;
}

const REDIRECT_HEADERS = 'cache-control content-length location';
const OF_HTTP: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive']);

/** The location of a redirect without unexpected headers, or what is wrong with the answer. */
function locationOf({ status, headers }: RawAnswer): { readonly location: string } | { readonly fault: string } {
  if (status !== 302) return { fault: `status ${status}` };
  const names = [...headers.keys()].filter((name) => !OF_HTTP.has(name)).sort();
  if (names.join(' ') !== REDIRECT_HEADERS) return { fault: `headers ${names.join(' ')}` };
  return { location: headers.get('location') as string };
}

/** Promise R12: whatever the query, the link leads to its stored destination. */
function queryQuestion(random: Random, byteMax: number, number: number): Question {
  return {
    bytes: request(`/abc?n=${number}&${textOf(random, byteMax)}`),
    judge(answer) {
      const found = locationOf(answer);
      if ('fault' in found) return found.fault;
      const url = new URL(found.location);
      if (`${url.protocol}//${url.username}@${url.host}${url.pathname}${url.hash}` !== 'https://user@shop.example:8443/a%2Fb/item#top')
        return `led elsewhere: ${found.location}`;
      if (url.searchParams.getAll('redir_url').join() !== 'own') return `a parameter was replaced: ${found.location}`;
      return url.searchParams.get('n') === String(number) ? '' : `the answer to another request: ${found.location}`;
    },
  };
}

/** Promise R11 for ids: an item either leads to a place below the path of its template's destination, or is not found. */
function idQuestion(random: Random, byteMax: number): Question {
  const id = textOf(random, byteMax)
    .replaceAll(/[#?]/g, '')
    .replaceAll('/', () => (random(2) === 0 ? '%2f' : '/'));
  return {
    bytes: request(`/i/${id}`),
    judge(answer) {
      if (answer.status === 404) return answer.headers.has('location') ? 'a page that redirects' : '';
      const found = locationOf(answer);
      if ('fault' in found) return found.fault;
      return /^https:\/\/shop\.example\/i\/[^/?#]+\?q=[^?#&/]+#[^#]+$/.test(found.location) ? '' : `led elsewhere: ${found.location}`;
    },
  };
}

/** Promise R11 for destinations: a destination that may not stand in a header is not sent. */
function plantedQuestion(random: Random, destinations: readonly string[]): Question {
  const at = random(destinations.length);
  const destination = destinations[at] as string;
  return {
    bytes: request(`/planted-${at}`),
    judge(answer) {
      if (answer.status === 200) return answer.headers.has('location') ? 'a page that redirects' : '';
      const found = locationOf(answer);
      if ('fault' in found) return found.fault;
      return found.location === destination ? '' : `led elsewhere: ${found.location}`;
    },
  };
}

/** How many requests were sent, and how many of them were answered with a redirect. */
export interface HostileRun {
  readonly asked: number;
  readonly redirected: number;
}

/**
 * Sends hostile queries, ids and destinations over one connection, and throws at the first answer that breaks promise R11 or R12.
 * `readAnswers` has read every header of every answer; it refuses bytes that may not stand there.
 */
export async function askHostile(kind: ListenerKind, requests: number, seed: number): Promise<HostileRun> {
  const random = randomOf(seed);
  const destinations = Array.from({ length: PLANTED }, () => plantedDestination(random));
  const served = await serveHostile(kind, destinations);
  const pipeline = await Pipeline.open(served.port);
  // node:http refuses a target with a byte above 0x7E, and closes the connection.
  const byteMax = kind === 'node' ? 0x7e : 0xff;
  let redirected = 0;
  try {
    for (let asked = 0; asked < requests; asked += 2000) {
      const questions = Array.from({ length: Math.min(2000, requests - asked) }, (_, at) => {
        const which = random(4);
        if (which === 0) return idQuestion(random, byteMax);
        return which === 1 ? plantedQuestion(random, destinations) : queryQuestion(random, byteMax, asked + at);
      });
      const answers = await pipeline.ask(questions.map(({ bytes }) => bytes));
      for (const [at, answer] of answers.entries()) {
        const { bytes, judge } = questions[at] as Question;
        const fault = judge(answer);
        if (fault !== '') throw new Error(`${fault}\nseed ${seed}, request ${JSON.stringify(bytes)}`);
        if (answer.status === 302) redirected++;
      }
    }
    return { asked: requests, redirected };
  } finally {
    pipeline.close();
    await served.stop();
  }
}

async function serveHostile(kind: ListenerKind, destinations: readonly string[]): Promise<Served> {
  const options: ServedOptions = { templates: [TEMPLATE], environment: { default_destinations: NO_DESTINATIONS } };
  const served = await serve(kind, options);
  const to = (web: string, changes: Partial<LinkRecord> = {}) => linkRecord({ destinations: { ...NO_DESTINATIONS, web }, ...changes });
  served.links.set('abc', to(DESTINATION, { allow_param_passthrough: true }));
  for (const [at, destination] of destinations.entries()) served.links.set(`planted-${at}`, to(destination));
  return served;
}
