import { parseUrl } from '../base/parse-url.js';
import { LIST, SettingError } from '../base/settings.js';

function collectorUrl(value: string): string {
  if (value === '') return '';
  const url = parseUrl(value);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new SettingError(`expected a URL such as http://127.0.0.1:4318, got "${value}"`);
  return url.href.replace(/\/$/, '');
}

function share(value: string): number {
  if (!/^(0|1|0?\.\d+|1\.0+)$/.test(value)) throw new SettingError(`expected a number from 0 to 1, got "${value}"`);
  return Number(value);
}

type Headers = Readonly<Record<string, string>>;

const HEADER = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=((?:[\x20-\x24\x26-\x7e]|%[\da-f]{2})*)$/i;

/** What Node.js sends in a header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables */
function headers(value: string): Headers {
  const pairs = value.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, encoded = ''] = HEADER.exec(pair) ?? [];
      const text = decoded(encoded.trim());
      if (name === undefined || text === null || !HEADER_VALUE.test(text))
        throw new SettingError('expected name=value, comma-separated, values percent-encoded');
      return [name, text];
    }),
  );
}

/** Null if the escapes are not those of a text in UTF-8. */
function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Named as OpenTelemetry names them (https://opentelemetry.io/docs/specs/otel/protocol/exporter/). */
export const tracingSettings = {
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    help: 'base URL of an OpenTelemetry collector that accepts OTLP over HTTP, such as http://127.0.0.1:4318; empty: no traces',
    fallback: '',
    parse: Object.assign(collectorUrl, { bound: 'http or https URL' }),
  },
  otlpHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    help: 'headers sent to the collector: name=value, comma-separated, values percent-encoded',
    fallback: '',
    parse: Object.assign(headers, { bound: LIST }),
    secret: true,
  },
  tracesShare: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    help: 'share of requests that are traced, 0 to 1',
    fallback: '1',
    parse: Object.assign(share, { bound: '0 to 1' }),
  },
} as const;

export interface TracingSettings {
  readonly otlpEndpoint: string;
  readonly otlpHeaders: Headers;
  readonly tracesShare: number;
}
