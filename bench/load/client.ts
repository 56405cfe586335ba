/** The job of a client program, and its result. Each program is a row of `clients`. */
export interface LoadJob {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A random sample of paths, each with its leading slash. */
  readonly paths: readonly string[];
  /** The status of every answer. */
  readonly status: 200 | 302;
  readonly connections: number;
  readonly pipelining: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Answers of another status, broken connections and timeouts. A run with any does not count. */
  readonly failures: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

export interface LoadClient {
  readonly name: string;
  /** Starts on the core what every run of a bench shares. */
  open(core: number | null): LoadSession;
}

export interface LoadSession {
  run(job: LoadJob): Promise<LoadResult>;
  close(): Promise<void>;
}
