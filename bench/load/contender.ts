/** A server under measurement. Another one (nginx, HAProxy, an older checkout) is another row of `contenders`. */
export interface Contender {
  /** What `--servers` names it by. */
  readonly key: string;
  readonly name: string;
  /** Headers of every request, `host` among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** What it is asked for; absent: what the others are. A random sample, each with its leading slash. */
  readonly paths?: readonly string[];
  /** Status of every answer; absent: 302. */
  readonly status?: 200 | 302;
  start(core: number | null): Promise<RunningServer>;
}

export interface RunningServer {
  /** The processes that serve: their CPU time and memory is what is counted. */
  readonly pids: readonly number[];
  readonly port: number;
  /** Why what was measured does not count, or null: clicks that were dropped cost nothing. */
  invalid(): string | null;
  stop(): Promise<void>;
}

/** How a client loads the server. */
export interface Scenario {
  readonly name: string;
  readonly connections: number;
  /** Requests on their way at once on each connection. */
  readonly pipelining: number;
}

/** Browser-like, so that the parser has as much to read as in the field. */
export const BROWSER_HEADERS = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9',
  'accept-encoding': 'gzip, deflate, br',
  referer: 'https://news.example/today',
} as const;
