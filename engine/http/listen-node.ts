import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { VISIT_HEAD_BYTES_MAX } from '../../shared/base/limits.js';
import { socketAddress } from '../../shared/net/address.js';
import type { AnswerSink } from './answer-sink.js';
import { beginFacts, type Facts, type HeaderReader, headerReader, newFacts } from './facts.js';
import { canSharePort, type Listener, type ListenOptions } from './listen.js';

/** The same as uWebSockets.js keeps. */
const IDLE_MS = 10_000;

/** The listener for systems that uWebSockets.js has no binary for, with the same answers on the wire. */
export async function listenNode(options: ListenOptions): Promise<Listener> {
  const facts = newFacts();
  const readHeader = headerReader(facts, options.countryHeader);
  let connections = 0;
  const server = createServer(
    { maxHeaderSize: VISIT_HEAD_BYTES_MAX, keepAliveTimeout: IDLE_MS, headersTimeout: IDLE_MS, requestTimeout: IDLE_MS, noDelay: true },
    (request, response) => {
      const sink = new NodeSink(request, response);
      if (request.httpVersionMinor === 0) refuse(sink, '505 HTTP Version Not Supported');
      else if (!readFacts(facts, readHeader, request)) refuse(sink, '400 Bad Request');
      else options.handle(facts, sink);
    },
  );
  server.maxHeadersCount = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    socket.on('close', () => connections--);
  });
  // A connection that cannot be accepted, for want of descriptors say, must not end the process that serves the others.
  server.on('error', (error) => options.log.error({ err: error }, 'the listener reported an error'));
  await open(server, options);
  return {
    kind: 'node',
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    stop: (deadlineMs) => stop(server, deadlineMs),
  };
}

function open(server: Server, { host, port }: ListenOptions): Promise<void> {
  const reusePort = canSharePort('node');
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, reusePort } as { host: string; port: number }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function stop(server: Server, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** False for a request target that is no path: `*`, an authority or an absolute URL. */
function readFacts(facts: Facts, readHeader: HeaderReader, request: IncomingMessage): boolean {
  const target = request.url ?? '';
  if (!target.startsWith('/')) return false;
  const mark = target.indexOf('?');
  beginFacts(facts, request.method ?? '', mark === -1 ? target : target.slice(0, mark), mark === -1 ? '' : target.slice(mark + 1));
  const headers = request.rawHeaders;
  for (let index = 0; index < headers.length; index += 2) {
    readHeader((headers[index] as string).toLowerCase(), utf8(headers[index + 1] as string));
  }
  return true;
}

/** `node:http` gives every byte of a header as one character, and refuses such bytes in a target; the other listener decodes UTF-8. */
function utf8(text: string): string {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 127) return Buffer.from(text, 'latin1').toString();
  }
  return text;
}

function refuse(sink: NodeSink, status: string): void {
  sink.writeStatus(status);
  sink.end('', true);
}

/** Collects an answer and writes it at once. */
class NodeSink implements AnswerSink {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #code = 200;
  #reason = 'OK';
  readonly #headers: string[] = [];

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  writeStatus(status: string): void {
    this.#code = Number.parseInt(status, 10);
    this.#reason = status.slice(4);
  }

  writeHeader(name: string, value: string): void {
    this.#headers.push(name, value);
  }

  end(body: Uint8Array | string = '', closeConnection = false): void {
    this.#headers.push('Content-Length', String(Buffer.byteLength(body)));
    if (closeConnection) this.#headers.push('Connection', 'close');
    this.#response.writeHead(this.#code, this.#reason, this.#headers);
    this.#response.end(body);
  }

  endWithoutBody(): void {
    this.#response.writeHead(this.#code, this.#reason, this.#headers);
    this.#response.end();
  }

  close(): void {
    this.#request.socket.destroy();
  }

  onAborted(handler: () => void): void {
    this.#response.on('close', () => {
      if (!this.#response.writableFinished) handler();
    });
  }

  cork(write: () => void): void {
    write();
  }

  getRemoteAddress(): ArrayBuffer {
    return socketAddress(this.#request.socket.remoteAddress ?? '').buffer as ArrayBuffer;
  }
}
