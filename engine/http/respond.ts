import { isHeaderSafe } from '../../shared/resolve/destination-safety.js';
import { STATIC_PAGE_CSP } from '../pages/html.js';
import { PASSWORD_SCHEME } from '../pages/password-scheme.js';
import type { StatusPage } from '../pages/status-page.js';
import { LANGUAGE_TAGS, type Language } from '../pages/texts/language.js';
import { type AnswerSink, type HeaderText, headerBytes } from './answer-sink.js';
import type { Method } from './facts.js';

/** The progress of the current answer. */
type Stage = 'none' | 'begun' | 'done' | 'deferred';

/** The heads of redirects and pages, the most frequent answers. */
const FOUND = '302 Found\r\nCache-Control: private, no-store\r\nLocation: ';
const FOUND_ASKS_VERSION = '302 Found\r\nCache-Control: private, no-store\r\nAccept-CH: Sec-CH-UA-Platform-Version\r\nLocation: ';
const CACHE_CONTROL = headerBytes('Cache-Control');
const NO_STORE = headerBytes('no-store');
const VARY = headerBytes('Vary');
const VARY_LANGUAGE = headerBytes('Accept-Language');
const VARY_VISITOR = headerBytes('User-Agent, Accept-Language');
const CONTENT_TYPE = headerBytes('Content-Type');
const HTML = headerBytes('text/html; charset=utf-8');
const CONTENT_LANGUAGE = headerBytes('Content-Language');
const CONTENT_SECURITY_POLICY = headerBytes('Content-Security-Policy');
const STATIC_POLICY = headerBytes(STATIC_PAGE_CSP);
const ROBOTS_TAG = headerBytes('X-Robots-Tag');
const NOINDEX = headerBytes('noindex');
const CONTENT_TYPE_OPTIONS = headerBytes('X-Content-Type-Options');
const NOSNIFF = headerBytes('nosniff');
const REFERRER_POLICY = headerBytes('Referrer-Policy');
const NO_REFERRER = headerBytes('no-referrer');

const OK = Buffer.from('ok\n');
const UNAVAILABLE = Buffer.from('unavailable\n');

/** A page that was made for one visitor. */
export interface VisitorPage {
  readonly html: string;
  readonly policy: string;
  readonly language: Language;
}

/**
 * The only place that writes responses. All header values are constants except `Location`. It is checked here again unless it
 * comes from the link index, because a CR or LF in it would allow response splitting.
 */
export class Responder {
  /** Set once the process drains: every answer then ends its connection. */
  closing = false;
  #stage: Stage = 'none';

  /** Must be called before the first write of an answer. Answers are written in one go, so one stage is enough for all of them. */
  begin(): void {
    this.#stage = 'none';
  }

  /** Whether another answer can still replace one that failed. */
  canAnswer(): boolean {
    return this.#stage === 'none';
  }

  /** Records that the answer comes later, from outside the handler. */
  defer(): void {
    this.#stage = 'deferred';
  }

  /** Whether nothing is left to do within the handler. */
  isSettled(): boolean {
    return this.#stage === 'done' || this.#stage === 'deferred';
  }

  /**
   * Sends 302, or the location as JSON for the script of a page. Returns false and writes nothing if the location is not allowed
   * in a header. `asksVersion` asks the browser to send the version of its system with later requests.
   */
  redirect(sink: AnswerSink, method: Method, location: string, asksVersion = false): boolean {
    if (!isHeaderSafe(location)) return false;
    if (method === 'page_get') {
      this.#location(sink, method, location);
      return true;
    }
    this.#writeFound(sink, location, asksVersion);
    this.#end(sink, method, '');
    return true;
  }

  /**
   * Sends 302 for a GET to a direct destination. It needs no check: the destination was checked when the link was written into the
   * index, and a checksum protects it; or it was checked at the template's first visit, and the id needs no escaping.
   */
  directRedirect(sink: AnswerSink, location: string, asksVersion: boolean): void {
    this.#writeFound(sink, location, asksVersion);
    if (this.closing) sink.end('', true);
    else sink.end();
    this.#stage = 'done';
  }

  /** Writes the whole head in one call, because most of the cost of a call into uWebSockets.js is the call itself. */
  #writeFound(sink: AnswerSink, location: string, asksVersion: boolean): void {
    this.#stage = 'begun';
    sink.writeStatus((asksVersion ? FOUND_ASKS_VERSION : FOUND) + location);
  }

  /** Sends the script of the password page the location to go to. */
  #location(sink: AnswerSink, method: Method, location: string): void {
    this.#stage = 'begun';
    sink.writeStatus('200 OK');
    sink.writeHeader(CONTENT_TYPE, 'application/json');
    sink.writeHeader(CACHE_CONTROL, NO_STORE);
    sink.writeHeader(CONTENT_TYPE_OPTIONS, NOSNIFF);
    this.#end(sink, method, Buffer.from(JSON.stringify({ location })));
  }

  /** Sends a page that must not be cached, indexed or framed. */
  statusPage(sink: AnswerSink, method: Method, page: StatusPage): void {
    this.#stage = 'begun';
    sink.writeStatus(page.status);
    if (page.status.startsWith('405')) sink.writeHeader('Allow', 'GET, HEAD');
    if (page.status.startsWith('503')) sink.writeHeader('Retry-After', '1');
    // Whether a link leads anywhere may depend on the visitor's platform.
    sink.writeHeader(VARY, page.status.startsWith('200') ? VARY_VISITOR : VARY_LANGUAGE);
    this.#pageHeaders(sink, page.policy === STATIC_PAGE_CSP ? STATIC_POLICY : page.policy, page.language);
    this.#end(sink, method, page.body);
  }

  /** Sends a page for this visitor, in the requested language. */
  page(sink: AnswerSink, method: Method, { html, policy, language }: VisitorPage): void {
    const body = Buffer.from(html);
    this.#stage = 'begun';
    sink.writeStatus('200 OK');
    sink.writeHeader(VARY, VARY_VISITOR);
    this.#pageHeaders(sink, policy, language);
    this.#end(sink, method, body);
  }

  /** Sends the page that asks for the password of a link. `throttled`: whether there were too many tries. */
  passwordPage(sink: AnswerSink, method: Method, { html, policy, language }: VisitorPage, throttled: boolean): void {
    const body = Buffer.from(html);
    this.#stage = 'begun';
    sink.writeStatus(throttled ? '429 Too Many Requests' : '401 Unauthorized');
    // No browser knows this scheme. For `Basic`, a browser would show a dialog of its own instead of the page.
    if (throttled) sink.writeHeader('Retry-After', '60');
    else sink.writeHeader('WWW-Authenticate', `${PASSWORD_SCHEME} realm="link"`);
    sink.writeHeader(VARY, VARY_LANGUAGE);
    this.#pageHeaders(sink, policy, language);
    this.#end(sink, method, body);
  }

  /** Sends a card. It is the same in every language, because a chat shows one reader's copy to all of them. */
  card(sink: AnswerSink, method: Method, body: Uint8Array): void {
    this.#stage = 'begun';
    sink.writeStatus('200 OK');
    sink.writeHeader(VARY, 'User-Agent');
    this.#pageHeaders(sink, STATIC_POLICY, null);
    this.#end(sink, method, body);
  }

  /** Sends a file that caches may keep for an hour. */
  file(sink: AnswerSink, method: Method, type: string, body: Uint8Array): void {
    this.#stage = 'begun';
    sink.writeStatus('200 OK');
    sink.writeHeader(CONTENT_TYPE, type);
    sink.writeHeader(CACHE_CONTROL, 'public, max-age=3600');
    sink.writeHeader(CONTENT_TYPE_OPTIONS, NOSNIFF);
    this.#end(sink, method, body);
  }

  /** Sends a short text for a load balancer. */
  health(sink: AnswerSink, method: Method, ok: boolean): void {
    this.#line(sink, method, ok ? '200 OK' : '503 Service Unavailable', ok ? OK : UNAVAILABLE);
  }

  /** Sends the proof that this service answers for the host. */
  hostProof(sink: AnswerSink, method: Method, proof: string): void {
    this.#line(sink, method, '200 OK', Buffer.from(`${proof}\n`));
  }

  /** Sends a response without content. */
  noContent(sink: AnswerSink): void {
    this.#stage = 'begun';
    sink.writeStatus('204 No Content');
    sink.writeHeader(CACHE_CONTROL, NO_STORE);
    if (this.closing) sink.writeHeader('Connection', 'close');
    // This status must not have a length (RFC 9110, section 8.6).
    sink.endWithoutBody();
    this.#stage = 'done';
  }

  /** Refuses a request whose end is known, but for which no host can be found. */
  badRequest(sink: AnswerSink, method: Method): void {
    this.#stage = 'begun';
    sink.writeStatus('400 Bad Request');
    sink.writeHeader(CACHE_CONTROL, NO_STORE);
    this.#end(sink, method, '');
  }

  /** Sends the last answer of its connection, and closes it. The body should have been read before: see `answerAfterBody`. */
  lastAnswer(sink: AnswerSink, status: string): void {
    this.#stage = 'begun';
    sink.writeStatus(status);
    sink.writeHeader(CACHE_CONTROL, NO_STORE);
    sink.end('', true);
    this.#stage = 'done';
  }

  /** Closes the connection without an answer, because it is uncertain where the next request would begin. */
  drop(sink: AnswerSink): void {
    this.#stage = 'done';
    sink.close();
  }

  /** Sends a line for a program. It must not be cached, because it is true only at this moment. */
  #line(sink: AnswerSink, method: Method, status: string, body: Uint8Array): void {
    this.#stage = 'begun';
    sink.writeStatus(status);
    sink.writeHeader(CONTENT_TYPE, 'text/plain; charset=utf-8');
    sink.writeHeader(CACHE_CONTROL, NO_STORE);
    this.#end(sink, method, body);
  }

  #pageHeaders(sink: AnswerSink, policy: HeaderText, language: Language | null): void {
    sink.writeHeader(CONTENT_TYPE, HTML);
    if (language !== null) sink.writeHeader(CONTENT_LANGUAGE, LANGUAGE_TAGS[language]);
    sink.writeHeader(CACHE_CONTROL, NO_STORE);
    sink.writeHeader(CONTENT_SECURITY_POLICY, policy);
    sink.writeHeader(ROBOTS_TAG, NOINDEX);
    sink.writeHeader(CONTENT_TYPE_OPTIONS, NOSNIFF);
    sink.writeHeader(REFERRER_POLICY, NO_REFERRER);
  }

  #end(sink: AnswerSink, method: Method, body: Uint8Array | ''): void {
    if (method === 'HEAD') {
      sink.writeHeader('Content-Length', String(body.length));
      if (this.closing) sink.writeHeader('Connection', 'close');
      sink.endWithoutBody();
    } else if (body === '') {
      sink.end(body, this.closing);
    } else if (this.closing) {
      sink.onAborted(IGNORE);
      sink.end(body, true);
    } else {
      endWithBody(sink, body);
    }
    this.#stage = 'done';
  }
}

/** A visitor who disconnects before the response is not a failure of the engine. */
const IGNORE = (): void => undefined;

/**
 * A client that sends one request after another and reads no answers fills first the kernel's buffer, and then ours. If that
 * overflows within a body, `end()` drops a piece of it, treats the request as unanswered, and ends the process because there is no
 * abort handler: a hundred pipelined requests for a page did so. So a body is offered with `tryEnd`, and what is not taken follows
 * as the client reads. If the client sends its next request before that, the connection ends, as uWebSockets.js ends every
 * connection that sends a request while an answer is open. An answer without a body is always written whole, so it keeps the
 * single plain call.
 */
function endWithBody(sink: AnswerSink, body: Uint8Array): void {
  const [, ended] = sink.tryEnd(body, body.length);
  if (ended) return;
  sink.onAborted(IGNORE);
  sink.onWritable((offset) => sink.tryEnd(body.subarray(offset), body.length)[0]);
}
