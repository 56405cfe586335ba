import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { WebhookDispatcherOptions, WebhookDispatcherStats } from '../../engine/webhooks/dispatcher-options.js';
import { endProcess, nextMessage } from '../load/pinned-process.js';
import { cpuMicroseconds } from '../load/process-cost.js';
import { BENCH_SECRETS_KEYS, type BenchQueue } from './queue.js';
import type { Certificate } from './receivers.js';

const ENTRY = fileURLToPath(new URL('dispatcher-process.js', import.meta.url));

export interface BenchDispatcher {
  stats(): Promise<WebhookDispatcherStats>;
  /** User and system time since its start, all threads. */
  cpuMicroseconds(): number;
  stop(): Promise<void>;
}

/** `trusted` is the certificate of receivers that no public authority vouches for. */
export async function startDispatcher(
  queue: BenchQueue,
  origins: readonly string[],
  trusted: Certificate | null,
): Promise<BenchDispatcher> {
  const options: Omit<WebhookDispatcherOptions, 'log'> = {
    databaseUrl: queue.url,
    queueDatabaseUrl: '',
    secretsKeys: BENCH_SECRETS_KEYS,
    serviceName: 'Service',
    outboundAllow: origins,
    webhookRetryDelays: [60],
    webhookThreads: 2,
  };
  const child = fork(ENTRY, [JSON.stringify(options)], { env: trusting(trusted) });
  await nextMessage(child, (message): message is object => (message as { kind?: unknown }).kind === 'started');
  return {
    async stats() {
      const answer = nextMessage(
        child,
        (message): message is { stats: WebhookDispatcherStats } => (message as { kind?: unknown }).kind === 'stats',
      );
      child.send('stats');
      return (await answer).stats;
    },
    cpuMicroseconds: () => cpuMicroseconds(child.pid as number),
    stop: () => endProcess(child),
  };
}

/** Node.js reads further authorities from this variable when it starts. */
export function trusting(trusted: Certificate | null): NodeJS.ProcessEnv {
  return { ...process.env, ...(trusted === null ? {} : { NODE_EXTRA_CA_CERTS: trusted.certificateFile }) };
}
