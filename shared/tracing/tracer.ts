/**
 * Where spans begin. This module imports nothing of OpenTelemetry: unless traces are requested, `startTracing` loads
 * none of it, and code that would begin a span only reads one variable.
 */

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  /** One of few names, without the id or the path of a request (OpenTelemetry, "Span names"). */
  readonly name: string;
  /** `server`: an incoming request. `client`: an outgoing one. `part`: an outgoing one that is left out if no span is open around it. */
  readonly kind: 'server' | 'client' | 'part';
  readonly attributes: Attributes;
  /** Milliseconds since 1970; now if absent. */
  readonly startedAtMs?: number;
  /** Headers of an incoming request: its `traceparent` makes the span a part of its sender's trace (W3C Trace Context). */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Span {
  readonly traceId: string;
  set(attributes: Attributes): void;
  /** `word` is stable and has few values: it becomes `error.type`. */
  fail(word: string): void;
  end(): void;
  /** Runs the work. Spans that begin in it, or in what it awaits, are parts of this one. */
  within<Result>(work: () => Result): Result;
}

export interface Tracer {
  /** Null for a `part` if no span is open around it. */
  begin(start: SpanStart): Span | null;
}

let tracer: Tracer | null = null;

/** Sets the tracer of the process, or of the thread. Null ends tracing. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

/** Null while tracing is off. */
export function beginSpan(start: () => SpanStart): Span | null {
  return tracer === null ? null : tracer.begin(start());
}
