import { Agent, request } from 'node:http';

/**
 * A client that keeps books. Every request carries a number of its own in the query, which a link with
 * `allow_param_passthrough` stores with its click, so that the click log can be compared request by request.
 */
export interface Ledger {
  /** Numbers of requests that were answered with a redirect: each must be in the click log, once. */
  readonly answered: ReadonlySet<number>;
  /** Numbers of requests whose connection broke before the answer: each may be in the click log, once. */
  readonly inDoubt: ReadonlySet<number>;
  /** Connections that were refused: their requests never reached a process. */
  readonly refused: number;
  /** Answers that were no redirect, with their number. */
  readonly wrong: readonly string[];
}

export interface LedgerOptions {
  readonly port: number;
  readonly host: string;
  readonly path: string;
  readonly connections: number;
  /** Every request on a connection of its own instead of keep-alive. */
  readonly newConnections?: boolean;
  /** First number; two clients of one test must not share numbers. */
  readonly firstNumber?: number;
}

export interface LedgerClient {
  /** What has been seen so far. */
  ledger(): Ledger;
  /** Ends after the requests that are under way. */
  stop(): Promise<Ledger>;
}

type Outcome = { readonly status: number } | { readonly error: string };

/** A connection that is refused is tried again after this, in milliseconds. */
const RETRY_MS = 10;

export function startLedgerClient(options: LedgerOptions): LedgerClient {
  const answered = new Set<number>();
  const inDoubt = new Set<number>();
  const wrong: string[] = [];
  let refused = 0;
  let next = options.firstNumber ?? 1;
  let stopped = false;
  const agent = new Agent({ keepAlive: options.newConnections !== true, maxSockets: options.connections });

  const note = (number: number, outcome: Outcome) => {
    if ('error' in outcome) {
      if (outcome.error === 'ECONNREFUSED') refused++;
      else inDoubt.add(number);
    } else if (outcome.status === 302) answered.add(number);
    else wrong.push(`${number}: ${outcome.status}`);
  };
  const loop = async () => {
    while (!stopped) {
      const number = next++;
      const outcome = await visit(agent, options, number);
      note(number, outcome);
      if ('error' in outcome) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  const loops = Array.from({ length: options.connections }, loop);
  const ledger = () => ({ answered, inDoubt, refused, wrong });
  return {
    ledger,
    async stop() {
      stopped = true;
      await Promise.all(loops);
      agent.destroy();
      return ledger();
    },
  };
}

function visit(agent: Agent, { port, host, path }: LedgerOptions, number: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const outgoing = request({ agent, host: '127.0.0.1', port, path: `${path}?n=${number}`, headers: { host, 'user-agent': 'Ledger' } });
    outgoing.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0 }));
      // The head has come: the visitor was redirected, however the rest ends.
      response.on('error', () => resolve({ status: response.statusCode ?? 0 }));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message }));
    outgoing.end();
  });
}

/** Where the click log and the ledger disagree; empty lists where they agree to the last click. */
export interface Disagreement {
  readonly lost: readonly number[];
  readonly doubled: readonly number[];
  readonly unknown: readonly number[];
}

/** `params` are the stored queries of all clicks of the link: `n=17`. */
export function compareLedger(ledger: Ledger, params: readonly (string | null)[]): Disagreement {
  const counts = new Map<number, number>();
  for (const text of params) {
    const number = Number(/^n=(\d+)$/.exec(text ?? '')?.[1] ?? Number.NaN);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return {
    lost: [...ledger.answered].filter((number) => !counts.has(number)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([number]) => number),
    unknown: [...counts.keys()].filter((number) => !ledger.answered.has(number) && !ledger.inDoubt.has(number)),
  };
}
