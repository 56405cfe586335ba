import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { invariant } from '../../shared/base/invariant.js';
import { VISIT_HEAD_BYTES_MAX, VISIT_HEADERS_MAX } from '../../shared/base/limits.js';
import { socketAddress } from '../../shared/net/address.js';
import type { Certificate } from '../tls/certificate.js';
import { type CertificateSet, certificateFor } from '../tls/certificate-set.js';
import { type AnswerSink, type BodyPiece, type HeaderText, headerText, headLines } from './answer-sink.js';
import { beginFacts, type Facts, type HeaderReader, headerReader, methodOf, newFacts, readAbsoluteForm } from './facts.js';
import type { Listener, ListenOptions, TlsListener } from './listener.js';
import { canSharePort } from './shared-port.js';

/** The same limits as those of uWebSockets.js. */
const IDLE_MS = 10_000;

const HTTP_OPTIONS = {
  maxHeaderSize: VISIT_HEAD_BYTES_MAX,
  keepAliveTimeout: IDLE_MS,
  headersTimeout: IDLE_MS,
  requestTimeout: IDLE_MS,
  // The default is 30 s: Node.js would look for late requests only twice a minute.
  connectionsCheckingInterval: 1_000,
  noDelay: true,
} as const;

/** The listener for systems for which uWebSockets.js has no binary. Its answers on the wire are the same. */
export function listenNode(options: ListenOptions): Promise<Listener> {
  return open(createHttpServer(HTTP_OPTIONS, requestHandler(options)), options);
}

/** Opens a listener over TLS. */
export async function listenNodeTls(options: ListenOptions, certificates: CertificateSet): Promise<TlsListener> {
  let contexts = secureContexts(certificates);
  const server = createHttpsServer(
    {
      ...HTTP_OPTIONS,
      ...pemOf(certificates.fallback),
      handshakeTimeout: IDLE_MS,
      SNICallback: (name, use) => use(null, contexts(name)),
    },
    requestHandler(options),
  );
  return {
    ...(await open(server, options)),
    async present(renewed) {
      contexts = secureContexts(renewed);
      // Serves clients that send no host name: `SNICallback` is not called for them.
      server.setSecureContext(pemOf(renewed.fallback));
    },
  };
}

function pemOf({ chain, key }: Certificate): { readonly cert: string; readonly key: string } {
  return { cert: chain, key };
}

/** Creates all contexts at once, so that a certificate that is refused is noticed before it replaces another one. */
function secureContexts(certificates: CertificateSet): (name: string) => SecureContext {
  const all = [certificates.fallback, ...certificates.byName.values()];
  const contexts = new Map([...new Set(all)].map((certificate) => [certificate, createSecureContext(pemOf(certificate))]));
  return (name) => contexts.get(certificateFor(certificates, name)) as SecureContext;
}

function requestHandler(options: ListenOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const facts = newFacts();
  const readHeader = headerReader(facts, options);
  return (request, response) => {
    if (ENDING.has(request.socket)) return;
    const sink = new NodeSink(request, response);
    if (request.httpVersionMinor === 0) refuse(sink, '505 HTTP Version Not Supported');
    else if (request.rawHeaders.length > 2 * VISIT_HEADERS_MAX) refuse(sink, '431 Request Header Fields Too Large');
    else if (!readFacts(facts, readHeader, request)) refuse(sink, '400 Bad Request');
    else options.handle(facts, sink);
  };
}

async function open(server: Server, options: ListenOptions): Promise<Listener> {
  const sockets = new Set<Socket>();
  // No limit here, because Node.js would silently drop the headers beyond it. The request handler counts them.
  server.maxHeadersCount = 0;
  // Counted before any TLS handshake, which a connection may never complete.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  // A connection that cannot be accepted, for example for lack of descriptors, must not end the process that serves the others.
  server.on('error', (error) => options.log.error({ code: 'listener_error', err: error }, 'the listener reported an error'));
  // The default answer to an `Expect` that is unknown is 417. uWebSockets.js ignores the header.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await listening(server, options);
  return {
    kind: 'node',
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.size,
    stop: (deadlineMs) => stop(server, sockets, deadlineMs),
  };
}

function listening(server: Server, { host, port }: ListenOptions): Promise<void> {
  const reusePort = canSharePort('node');
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, reusePort } as { host: string; port: number }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function stop(server: Server, sockets: ReadonlySet<Socket>, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, deadlineMs);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Returns false for a request target that is neither a path nor an absolute URL: `*` or an authority. */
function readFacts(facts: Facts, readHeader: HeaderReader, request: IncomingMessage): boolean {
  const target = request.url ?? '';
  const mark = target.indexOf('?');
  beginFacts(
    facts,
    methodOf(request.method ?? ''),
    mark === -1 ? target : target.slice(0, mark),
    mark === -1 ? '' : target.slice(mark + 1),
  );
  const headers = request.rawHeaders;
  for (let index = 0; index < headers.length; index += 2) {
    readHeader((headers[index] as string).toLowerCase(), utf8(headers[index + 1] as string));
  }
  return target.startsWith('/') || readAbsoluteForm(facts);
}

/**
 * Decodes a header as UTF-8, as the other listener does. `node:http` returns each of its bytes as one character, and refuses such
 * bytes in a target.
 */
function utf8(text: string): string {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 127) return Buffer.from(text, 'latin1').toString();
  }
  return text;
}

/** Sockets that have received their last request. Its answer waits for its body, and ends the connection. */
const ENDING = new WeakSet<Socket>();
const NO_PIECE: BodyPiece = { byteLength: 0 };

function refuse(sink: NodeSink, status: string): void {
  sink.writeStatus(status);
  sink.end('', true);
}

/** Collects an answer and writes it in one go. */
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

  writeStatus(status: HeaderText): void {
    const lines = headLines(status);
    this.#code = Number.parseInt(lines.status, 10);
    this.#reason = lines.status.slice(4);
    this.#headers.push(...lines.headers.flat());
  }

  writeHeader(name: HeaderText, value: HeaderText): void {
    this.#headers.push(headerText(name), headerText(value));
  }

  end(body: Uint8Array | string = '', closeConnection = false): void {
    this.#headers.push('Content-Length', String(Buffer.byteLength(body)));
    if (closeConnection) this.#headers.push('Connection', 'close');
    this.#response.writeHead(this.#code, this.#reason, this.#headers);
    this.#response.end(body);
  }

  /** Node.js takes the whole body, and reads no further request until the client has read it. */
  tryEnd(rest: Uint8Array): readonly [boolean, boolean] {
    this.end(rest);
    return [true, true];
  }

  onWritable(): void {
    invariant(false, 'all of a body is taken at once');
  }

  endWithoutBody(): void {
    this.#response.writeHead(this.#code, this.#reason, this.#headers);
    this.#response.end();
  }

  onData(handler: (piece: BodyPiece, isLast: boolean) => void): void {
    ENDING.add(this.#request.socket);
    this.#request.on('data', (piece: Buffer) => handler(piece, false));
    this.#request.on('end', () => handler(NO_PIECE, true));
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
