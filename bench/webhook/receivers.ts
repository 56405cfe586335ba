import { execFileSync, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endProcess, nextMessage } from '../load/pinned-process.js';
import type { ReceiverMessage, ReceiverOptions } from './receiver-process.js';

export type Scheme = 'http' | 'https';

/** A running receiver, and what it reports about itself. */
export interface BenchReceiver {
  readonly origin: string;
  /** The number of connections that were ever made to it. */
  connections(): Promise<number>;
  /** Events that arrived since the last call, and when (milliseconds since the epoch). */
  arrivals(): Promise<readonly (readonly [eventId: string, atMs: number])[]>;
  stop(): Promise<void>;
}

export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/**
 * Makes a self-signed certificate for `localhost` and 127.0.0.1 in `folder`, with the machine's openssl. Its key is an
 * elliptic curve key, as public CAs issue today.
 */
export function makeCertificate(folder: string): Certificate {
  const certificate = { certificateFile: join(folder, 'certificate.pem'), keyFile: join(folder, 'key.pem') };
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', certificate.keyFile];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', certificate.certificateFile, '-days', '2', ...subject], { stdio: 'ignore' });
  return certificate;
}

const ENTRY = fileURLToPath(new URL('receiver-process.js', import.meta.url));

function isKind<Kind extends ReceiverMessage['kind']>(kind: Kind) {
  return (message: unknown): message is Extract<ReceiverMessage, { kind: Kind }> => (message as { kind?: unknown } | null)?.kind === kind;
}

export async function withReceiver<Result>(options: ReceiverOptions, work: (receiver: BenchReceiver) => Promise<Result>): Promise<Result> {
  const receiver = await startReceiver(options);
  try {
    return await work(receiver);
  } finally {
    await receiver.stop();
  }
}

async function startReceiver(options: ReceiverOptions): Promise<BenchReceiver> {
  const child = fork(ENTRY, [JSON.stringify(options)], { serialization: 'advanced' });
  const { port } = await nextMessage(child, isKind('listening'));
  const ask = <Kind extends ReceiverMessage['kind']>(kind: Kind) => {
    const answer = nextMessage(child, isKind(kind));
    child.send(kind);
    return answer;
  };
  return {
    origin: `${options.tls === null ? 'http' : 'https'}://127.0.0.1:${port}`,
    connections: async () => (await ask('connections')).connections,
    arrivals: async () => (await ask('arrivals')).arrivals,
    stop: () => endProcess(child),
  };
}
