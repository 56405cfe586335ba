import { isHeaderSafe } from '../../shared/resolve/destination-safety.js';
import { type AnswerSink, headerBytes } from './answer-sink.js';
import type { Method } from './facts.js';
import { STATIC_PAGE_CSP } from './pages/html.js';
import { LANGUAGE_TAGS, type Language } from './pages/language.js';
import type { StatusPage } from './pages/status-page.js';

/** How far the answer under way has come. */
type Stage = 'none' | 'begun' | 'done' | 'deferred';

/** The head of a redirect: the answer that there are most of. */
const FOUND = headerBytes('302 Found');
const LOCATION = headerBytes('Location');
const CACHE_CONTROL = headerBytes('Cache-Control');
const PRIVATE_NO_STORE = headerBytes('private, no-store');

const OK = Buffer.from('ok\n');
const UNAVAILABLE = Buffer.from('unavailable\n');
const HTML = 'text/html; charset=utf-8';

export interface RedirectOptions {
  /** Asks the browser to name the version of its system when it comes again. */
  readonly asksVersion: boolean;
}

const PLAIN: RedirectOptions = { asksVersion: false };

/** A page that was made for one visitor. */
export interface VisitorPage {
  readonly html: string;
  readonly policy: string;
  readonly language: Language;
}

/**
 * The only writer of answers. Header values are constants but for one, `Location`, and that one is checked here again,
 * whatever was checked before: a CR or LF in it would be a second answer.
 */
export class Responder {
  /** Set once the process drains: every answer then ends its connection. */
  closing = false;
  #stage: Stage = 'none';

  /** Before the first write of an answer. Answers are written in one go, so one stage serves them all. */
  begin(): void {
    this.#stage = 'none';
  }

  /** Whether an answer that failed can still become another one. */
  canAnswer(): boolean {
    return this.#stage === 'none';
  }

  /** The answer comes later, from outside the handler. */
  defer(): void {
    this.#stage = 'deferred';
  }

  /** Whether nothing is left to do within the handler. */
  isSettled(): boolean {
    return this.#stage === 'done' || this.#stage === 'deferred';
  }

  /** 302. False, and nothing written, where the location may not stand in a header. */
  redirect(sink: AnswerSink, method: Method, location: string, { asksVersion }: RedirectOptions = PLAIN): boolean {
    if (!isHeaderSafe(location)) return false;
    this.#stage = 'begun';
    sink.writeStatus(FOUND);
    sink.writeHeader(LOCATION, location);
    sink.writeHeader(CACHE_CONTROL, PRIVATE_NO_STORE);
    if (asksVersion) sink.writeHeader('Accept-CH', 'Sec-CH-UA-Platform-Version');
    this.#end(sink, method, '');
    return true;
  }

  /** A page that nobody may keep, index or frame. */
  statusPage(sink: AnswerSink, method: Method, page: StatusPage): void {
    this.#stage = 'begun';
    sink.writeStatus(page.status);
    if (page.status.startsWith('405')) sink.writeHeader('Allow', 'GET, HEAD');
    if (page.status.startsWith('503')) sink.writeHeader('Retry-After', '1');
    // Whether a link leads a visitor somewhere may depend on the platform.
    sink.writeHeader('Vary', page.status.startsWith('200') ? 'User-Agent, Accept-Language' : 'Accept-Language');
    this.#pageHeaders(sink, STATIC_PAGE_CSP, page.language);
    this.#end(sink, method, page.body);
  }

  /** A page for this visitor, in the language asked for. */
  page(sink: AnswerSink, method: Method, { html, policy, language }: VisitorPage): void {
    const body = Buffer.from(html);
    this.#stage = 'begun';
    sink.writeStatus('200 OK');
    sink.writeHeader('Vary', 'User-Agent, Accept-Language');
    this.#pageHeaders(sink, policy, language);
    this.#end(sink, method, body);
  }

  /** A card, which is the same in every language: a chat shows one reader's copy to all of them. */
  card(sink: AnswerSink, method: Method, body: Uint8Array): void {
    this.#stage = 'begun';
    sink.writeStatus('200 OK');
    sink.writeHeader('Vary', 'User-Agent');
    this.#pageHeaders(sink, STATIC_PAGE_CSP, null);
    this.#end(sink, method, body);
  }

  /** A file that caches may keep for an hour. */
  file(sink: AnswerSink, method: Method, type: string, body: Uint8Array): void {
    this.#stage = 'begun';
    sink.writeStatus('200 OK');
    sink.writeHeader('Content-Type', type);
    sink.writeHeader('Cache-Control', 'public, max-age=3600');
    sink.writeHeader('X-Content-Type-Options', 'nosniff');
    this.#end(sink, method, body);
  }

  /** One word for a load balancer. */
  health(sink: AnswerSink, method: Method, ok: boolean): void {
    this.#stage = 'begun';
    sink.writeStatus(ok ? '200 OK' : '503 Service Unavailable');
    sink.writeHeader('Content-Type', 'text/plain; charset=utf-8');
    sink.writeHeader('Cache-Control', 'no-store');
    this.#end(sink, method, ok ? OK : UNAVAILABLE);
  }

  /** A request whose end is known, and that no host can be found for. */
  badRequest(sink: AnswerSink, method: Method): void {
    this.#stage = 'begun';
    sink.writeStatus('400 Bad Request');
    sink.writeHeader(CACHE_CONTROL, 'no-store');
    this.#end(sink, method, '');
  }

  /** No answer, and nothing after it: where the next request would begin is not certain. */
  drop(sink: AnswerSink): void {
    this.#stage = 'done';
    sink.close();
  }

  #pageHeaders(sink: AnswerSink, policy: string, language: Language | null): void {
    sink.writeHeader('Content-Type', HTML);
    if (language !== null) sink.writeHeader('Content-Language', LANGUAGE_TAGS[language]);
    sink.writeHeader('Cache-Control', 'no-store');
    sink.writeHeader('Content-Security-Policy', policy);
    sink.writeHeader('X-Robots-Tag', 'noindex');
    sink.writeHeader('X-Content-Type-Options', 'nosniff');
    sink.writeHeader('Referrer-Policy', 'no-referrer');
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

/** An answer that nobody stays for is no failure of ours. */
const IGNORE = (): void => undefined;

/**
 * A client that sends one request after the other and reads no answer fills first the kernel's buffer, and then ours. Where
 * that overflows within a body, `end()` drops a piece of it, takes the request for unanswered, and ends the process for want
 * of an abort handler: a hundred pipelined requests for a page did so. So a body is offered, and what is not taken follows as
 * the client reads; its next request before that ends the connection, as uWebSockets.js ends every one that asks again while
 * an answer is open. An answer without a body is always whole, and keeps the one plain call.
 */
function endWithBody(sink: AnswerSink, body: Uint8Array): void {
  const [, ended] = sink.tryEnd(body, body.length);
  if (ended) return;
  sink.onAborted(IGNORE);
  sink.onWritable((offset) => sink.tryEnd(body.subarray(offset), body.length)[0]);
}
