import type { Test } from 'tap';
import { serveHttp } from './serve-http.js';
import { until } from './until.js';

/** A span as OTLP sends it (opentelemetry/proto/trace/v1/trace.proto, as JSON), with its attributes as plain values. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly durationMs: number;
}

export interface Collector {
  readonly origin: string;
  readonly spans: readonly CollectedSpan[];
  /** Headers of the newest call. */
  readonly headers: Readonly<Record<string, unknown>>;
  first(fits: (span: CollectedSpan) => boolean, what: string): Promise<CollectedSpan>;
  stop(): Promise<void>;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}

interface Attribute {
  readonly key: string;
  readonly value: Value;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

const STATUS_ERROR = 2;

/** Starts an OpenTelemetry collector on loopback that keeps what it receives. */
export async function startCollector(t: Pick<Test, 'teardown'>): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  let headers: Readonly<Record<string, unknown>> = {};
  const { origin, stop } = await serveHttp(t, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      headers = { ...request.headers, path: request.url };
      spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString()) as Sent));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return {
    origin,
    spans,
    get headers() {
      return headers;
    },
    async first(fits, what) {
      await until(async () => spans.some(fits), what);
      return spans.find(fits) as CollectedSpan;
    },
    stop,
  };
}

function spansOf({ resourceSpans }: Sent): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => spanOf(service, span)));
  });
}

function spanOf(service: string, span: SentSpan): CollectedSpan {
  return {
    service,
    name: span.name,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    attributes: valuesOf(span.attributes),
    isError: span.status.code === STATUS_ERROR,
    durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  };
}

function valuesOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? (value.intValue === undefined ? value.doubleValue : Number(value.intValue)),
    ]),
  );
}
