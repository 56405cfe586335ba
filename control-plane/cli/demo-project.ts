export interface DemoOptions {
  /** Name of the project that is made. */
  readonly project: string;
  readonly clicks: number;
  readonly liveHost: string;
  /** Port on loopback of the sample metadata API. */
  readonly apiPort: number;
}

/** What was made, as statistics show it. */
export interface DemoReport {
  readonly project: string;
  readonly live_environment: string;
  readonly link_host: string;
  readonly days: number;
  readonly links: number;
  readonly clicks: number;
  readonly human_clicks: number;
  readonly unique_visitors: number;
  readonly installs: number;
  readonly tracked_events: number;
  /** Of the live environment; shown this once. */
  readonly secret_key: string;
}

export interface Demo {
  /** Throws a `CommandError` if there is a project of that name already. */
  fill(options: DemoOptions, onClicks: (done: number, total: number) => void): Promise<DemoReport>;
  /** Takes away a project that `fill` has made, whole or in part. Throws a `CommandError` if it holds what somebody else has made. */
  remove(project: string): Promise<Readonly<Record<string, unknown>>>;
  /** Serves the sample metadata API until the signal. */
  serve(apiPort: number, until: AbortSignal, onListening: (origin: string) => void): Promise<void>;
}
