/** A server under measurement. A further one (nginx, HAProxy, an older checkout) is a further row of `contenders`. */
export interface Contender {
  /** The name of the server in `--servers`. */
  readonly key: string;
  readonly name: string;
  /** Headers of every request, `host` among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The paths to request; the same as for the others if absent. A random sample, each with its leading slash. */
  readonly paths?: readonly string[];
  /** Status of every answer; 302 if absent. */
  readonly status?: 200 | 302;
  start(core: number | null): Promise<RunningServer>;
}

export interface RunningServer {
  /** The serving processes, whose CPU time and memory are counted. */
  readonly pids: readonly number[];
  readonly port: number;
  /** Why the measurement does not count, or null. Clicks that were dropped, for example, cost nothing. */
  invalid(): string | null;
  stop(): Promise<void>;
}

/** How a client loads the server. */
export interface Scenario {
  readonly name: string;
  readonly connections: number;
  /** Requests under way at once on each connection. */
  readonly pipelining: number;
}

/** Headers like those of a browser, so that the parser has as much to read as in the field. */
export const BROWSER_HEADERS = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9',
  'accept-encoding': 'gzip, deflate, br',
  referer: 'https://news.example/today',
} as const;
