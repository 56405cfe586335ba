import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** One answer as it was on the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names are in lower case. If a header came twice, its value is both values joined by a line feed. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export interface RawConversation {
  readonly bytes: Buffer;
  readonly answers: readonly RawAnswer[];
  /** Whether the server ended the connection. */
  readonly closed: boolean;
}

/** Long enough for the server to have read the first piece, unless the machine is very busy. */
const REST_MS = 50;
/** How long to wait if the number of answers is not known. */
const SILENCE_MS = 2000;
/** How long to wait for a known number of answers. Long enough for a busy machine. */
const ANSWERS_MS = 15_000;

interface ConverseOptions {
  readonly answers?: number;
  readonly waitMs?: number;
  readonly heads?: boolean;
  readonly tls?: boolean;
  readonly halfClose?: boolean;
  readonly rest?: string;
}

/**
 * Sends the text as it is (latin1) and collects what comes back, until the server closes, `answers` have come, or the time is up.
 * `heads`: every request is a HEAD, whose answer has no body. `tls`: the port speaks TLS. `halfClose`: the client closes its side
 * after the request. `rest` is sent `REST_MS` after the request.
 */
export async function converse(port: number, request: string, options: ConverseOptions = {}): Promise<RawConversation> {
  const socket =
    options.tls === true
      ? connectTls({ port, host: '127.0.0.1', servername: 'go.shop.example', rejectUnauthorized: false })
      : connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  let closed = false;
  const bytes = () => Buffer.concat(chunks);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, options.waitMs ?? (options.answers === undefined ? SILENCE_MS : ANSWERS_MS));
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    socket.on(options.tls === true ? 'secureConnect' : 'connect', () => {
      socket.write(Buffer.from(request, 'latin1'));
      if (options.halfClose === true) socket.end();
      if (options.rest !== undefined) setTimeout(() => socket.write(Buffer.from(options.rest ?? '', 'latin1')), REST_MS);
    });
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (options.answers !== undefined && readAnswers(bytes(), options.heads ?? false).length >= options.answers) end();
    });
    // A reset counts as an end: only what came before it matters.
    socket.on('error', () => {
      closed = true;
    });
    socket.on('close', () => {
      closed = true;
      end();
    });
  });
  const last = readAnswers(bytes(), options.heads ?? false).at(-1);
  if (!closed && last?.headers.get('connection') === 'close') await ended(socket);
  socket.destroy();
  return { bytes: bytes(), answers: readAnswers(bytes(), options.heads ?? false), closed: closed || socket.readableEnded };
}

/** Resolves when the server has ended the connection, or after `SILENCE_MS`. */
function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SILENCE_MS);
    socket.once('end', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The complete answers at the beginning of the bytes. Throws if they are not HTTP/1.1. */
export function readAnswers(bytes: Buffer, heads: boolean): RawAnswer[] {
  return takeAnswers(bytes, heads).answers;
}

/** Like `readAnswers`, and returns the bytes that follow the answers too. */
export function takeAnswers(bytes: Buffer, heads: boolean): { readonly answers: RawAnswer[]; readonly rest: Buffer } {
  const answers: RawAnswer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end === -1) break;
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]+$/.exec(first)?.[1];
    if (status === undefined) throw new Error(`not a status line: ${JSON.stringify(first)}`);
    const headers = readHeaders(lines);
    const length = headers.get('content-length');
    // uWebSockets.js sends its own refusals without a length and then closes the connection.
    const bodyEnd = heads || status.startsWith('1') ? end + 4 : length === undefined ? bytes.length : end + 4 + Number(length);
    if (bodyEnd > bytes.length) break;
    if (!status.startsWith('1')) answers.push({ status: Number(status), headers, body: bytes.subarray(end + 4, bodyEnd) });
    at = bodyEnd;
  }
  return { answers, rest: bytes.subarray(at) };
}

function readHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const found = /^([A-Za-z0-9-]+): ([\x20-\x7e]*)$/.exec(line);
    if (found === null) throw new Error(`not a header line: ${JSON.stringify(line)}`);
    const name = (found[1] as string).toLowerCase();
    const before = headers.get(name);
    headers.set(name, before === undefined ? (found[2] as string) : `${before}\n${found[2]}`);
  }
  return headers;
}

/** A request head. */
export function request(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): string {
  const lines = Object.entries({ Host: 'go.shop.example', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
