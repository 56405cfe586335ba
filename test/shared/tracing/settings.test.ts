import t from 'tap';
import { readSettings } from '../../../shared/base/settings.js';
import { tracingSettings } from '../../../shared/tracing/settings.js';

t.test('without settings there are no traces', async (t) => {
  t.same(readSettings(tracingSettings, {}), { otlpEndpoint: '', otlpHeaders: {}, tracesShare: 1 });
});

t.test('the settings have the names and formats of OpenTelemetry', async (t) => {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318/otlp/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc=, x-tenant=one',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  };
  t.same(readSettings(tracingSettings, environment), {
    otlpEndpoint: 'https://collector.example:4318/otlp',
    otlpHeaders: { authorization: 'Basic abc=', 'x-tenant': 'one' },
    tracesShare: 0.25,
  });
});

for (const [name, text] of [
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://collector.example'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a b=c'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%ff'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b%0D%0Ac: d'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_TRACES_SAMPLER_ARG', '-1'],
  ['OTEL_TRACES_SAMPLER_ARG', 'half'],
] as const)
  t.test(`${name}=${text} is refused`, async (t) => {
    t.throws(() => readSettings(tracingSettings, { [name]: text }), {
      name: 'SettingError',
      message: new RegExp(`^${name} is malformed: expected`),
    });
  });
