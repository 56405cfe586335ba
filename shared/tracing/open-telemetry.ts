import type { Span as OpenTelemetrySpan } from '@opentelemetry/api';
import type { TracingSettings } from './settings.js';
import { type Span, type SpanStart, setTracer, type Tracer } from './tracer.js';

/** How long spans that wait for the collector have when the process ends. Spans that it does not accept by then are lost. */
const STOP_MS = 1_000;

/** How long a collector that does not answer may hold up a batch of spans. Up to 2,048 others wait meanwhile, and more are dropped. */
const SEND_TIMEOUT_MS = 5_000;

export interface Tracing {
  /** Sends the spans that wait. Never rejects: what could not be sent is logged. */
  stop(): Promise<void>;
}

export interface TracedProcess {
  /** `control-plane`, `background`: the `service.name` of its spans. */
  readonly name: string;
  readonly log: { warn(facts: object, message: string): void };
}

/**
 * Starts to make traces of this process, or of this thread, and to send them to the collector. Loads OpenTelemetry only
 * if the settings name a collector; returns null if they do not.
 */
export async function startTracing(settings: TracingSettings, { name, log }: TracedProcess): Promise<Tracing | null> {
  if (settings.otlpEndpoint === '') return null;
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const warn = (message: string, ...details: readonly unknown[]) =>
    log.warn({ code: 'traces_unsent', details: [message, ...details].map(String) }, 'traces are not sent');
  api.diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, api.DiagLogLevel.WARN);
  const exporter = new OTLPTraceExporter({
    url: `${settings.otlpEndpoint}/v1/traces`,
    headers: { ...settings.otlpHeaders },
    timeoutMillis: SEND_TIMEOUT_MS,
  });
  const ratio = new sdk.TraceIdRatioBasedSampler(settings.tracesShare);
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': name }),
    // A caller's sampling flag does not decide: anybody may send `traceparent`, and could have everything traced.
    sampler: new sdk.ParentBasedSampler({ root: ratio, remoteParentSampled: ratio, remoteParentNotSampled: ratio }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter, { exportTimeoutMillis: SEND_TIMEOUT_MS })],
  });
  provider.register();
  setTracer(tracerOf(api, provider.getTracer('link-service')));
  return {
    async stop() {
      setTracer(null);
      const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([provider.shutdown().catch((error: unknown) => warn(String(error))), late]);
      for (const part of [api.trace, api.context, api.propagation, api.diag]) part.disable();
    },
  };
}

type Api = typeof import('@opentelemetry/api');

function tracerOf(api: Api, tracer: ReturnType<Api['trace']['getTracer']>): Tracer {
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, part: api.SpanKind.CLIENT };
  return {
    begin({ name, kind, attributes, startedAtMs, headers }: SpanStart): Span | null {
      const around = headers === undefined ? api.context.active() : api.propagation.extract(api.ROOT_CONTEXT, headers);
      if (kind === 'part' && api.trace.getSpan(around) === undefined) return null;
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes, ...(startedAtMs === undefined ? {} : { startTime: startedAtMs }) },
        around,
      );
      return spanOf(api, span, api.trace.setSpan(around, span));
    },
  };
}

function spanOf(api: Api, span: OpenTelemetrySpan, within: ReturnType<Api['trace']['setSpan']>): Span {
  return {
    traceId: span.spanContext().traceId,
    set: (attributes) => span.setAttributes(attributes),
    fail: (word) => span.setAttribute('error.type', word).setStatus({ code: api.SpanStatusCode.ERROR }),
    end: () => span.end(),
    within: (work) => api.context.with(within, work),
  };
}
