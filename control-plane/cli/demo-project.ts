export interface DemoOptions {
  /** Name of the project to create. */
  readonly project: string;
  readonly clicks: number;
  readonly liveHost: string;
  /** Origin at which engines reach `serve`: `http://127.0.0.1:4010`. */
  readonly origin: string;
}

export interface DemoServeOptions {
  /** Name of the project that `fill` has created. */
  readonly project: string;
  readonly host: string;
  readonly port: number;
}

/** A request to the webhook receiver, and its response. */
export interface DemoDelivery {
  readonly at: string;
  /** The id in the header; '' if there is none. */
  readonly delivery: string;
  /** Null if the signature does not match the body, and then `type` is null too. */
  readonly event: string | null;
  readonly type: string | null;
  readonly test: boolean;
  /** The code of `WebhookVerificationError`; null if the delivery is genuine. */
  readonly fault: string | null;
  readonly response_code: number;
}

export interface DemoServing {
  /** `receives`: whether OUTBOUND_ALLOW names the origin, so that the webhook endpoint is enabled. */
  readonly onListening: (at: { readonly listens: string; readonly origin: string; readonly receives: boolean }) => void;
  readonly onDelivery: (delivery: DemoDelivery) => void;
}

/** What was created, as statistics show it. */
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
  /** Key of the live environment; shown only once. */
  readonly secret_key: string;
}

export interface Demo {
  /** Creates the project. Throws a `CommandError` if there is a project with that name already. */
  fill(options: DemoOptions, onClicks: (done: number, total: number) => void): Promise<DemoReport>;
  /** Removes a project that `fill` has created, even partly. Throws a `CommandError` if it contains anything that somebody else created. */
  remove(project: string): Promise<Readonly<Record<string, unknown>>>;
  /** Serves the sample metadata API and receives webhooks until the signal aborts. Throws a `CommandError` if there is no such project. */
  serve(options: DemoServeOptions, until: AbortSignal, serving: DemoServing): Promise<void>;
}
