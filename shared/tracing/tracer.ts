/**
 * Where spans begin. Nothing of OpenTelemetry is imported here: while no traces are asked for, `startTracing` loads none of it,
 * and a place that would begin a span costs the look at one variable.
 */

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  /** Few different ones: no id and no path of a request (OpenTelemetry, "Span names"). */
  readonly name: string;
  /** `server`: a request that came in. `client`: one that goes out. `part`: a client's, which is left out where no span is open around it. */
  readonly kind: 'server' | 'client' | 'part';
  readonly attributes: Attributes;
  /** Milliseconds since 1970; now where absent. */
  readonly startedAtMs?: number;
  /** Headers of a request that came in: its `traceparent` makes the span a part of its sender's trace (W3C Trace Context). */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Span {
  readonly traceId: string;
  set(attributes: Attributes): void;
  /** `word` is stable and few-valued: it becomes `error.type`. */
  fail(word: string): void;
  end(): void;
  /** Runs the work; spans that begin in it, or in what it waits for, are parts of this one. */
  within<Result>(work: () => Result): Result;
}

export interface Tracer {
  /** Null for a part of nothing. */
  begin(start: SpanStart): Span | null;
}

let tracer: Tracer | null = null;

/** Of the process, or of the thread. Null ends tracing. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

/** Null while no traces are asked for. */
export function beginSpan(start: () => SpanStart): Span | null {
  return tracer === null ? null : tracer.begin(start());
}
