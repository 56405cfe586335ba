import t, { type Test } from 'tap';
import type { Destinations } from '../../../shared/records/records.js';
import { personOn, resolutionSteps } from '../../../shared/resolve/explain-resolution.js';
import type { Platform } from '../../../shared/resolve/recognise-visitor.js';
import { newResolutionTrace, resolveVisit } from '../../../shared/resolve/resolve-visit.js';
import { utmParameters } from '../../../shared/resolve/utm.js';

const NONE: Destinations = { ios: null, android: null, web: null, desktop: null, fallback: null };
const UTM = { utm_source: 'mail', utm_medium: 'm', utm_campaign: null, utm_term: null, utm_content: null };

function explain(
  t: Test,
  platform: Platform,
  destinations: Partial<Destinations>,
  options: { query?: string; passthrough?: boolean; defaults?: Partial<Destinations> } = {},
) {
  const context = {
    visitor: personOn(platform),
    query: options.query ?? '',
    now_ms: 1000,
    host_role: 'link',
    utm: utmParameters(UTM, null),
  } as const;
  const subject = {
    destinations: { ...NONE, ...destinations },
    card: null,
    deep_link_path: '/p/1',
    allow_param_passthrough: options.passthrough ?? false,
  };
  const settings = {
    default_destinations: { ...NONE, web: 'https://shop.example{deep_link_path}?utm_medium=own', ...options.defaults },
    interstitial: true,
    append_click_id: false,
    ios_apps: [{ team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', app_store_url: 'https://apps.apple.com/app/id1', uri_scheme: null }],
    android_apps: [],
  };
  const trace = newResolutionTrace();
  const resolution = resolveVisit(context, subject, settings, trace);
  t.same(resolveVisit(context, subject, settings), resolution, 'a trace does not change the result');
  return { resolution, steps: resolutionSteps({ context, subject, settings }, resolution, trace) };
}

t.test("the attempted destinations are listed slot by slot, the link's own before the default", async (t) => {
  const { steps } = explain(t, 'ios', { ios: 'javascript:1' });
  t.same(
    steps.filter((step) => step.rule === 'destination').map((step) => step.inputs),
    [
      { slot: 'ios', source: 'link', url: 'javascript:1', refusal: 'scheme_refused' },
      { slot: 'ios', source: 'environment', url: null, refusal: null },
      { slot: 'fallback', source: 'link', url: null, refusal: null },
      { slot: 'fallback', source: 'environment', url: null, refusal: null },
      { slot: 'web', source: 'link', url: null, refusal: null },
      { slot: 'web', source: 'environment', url: 'https://shop.example/p/1?utm_medium=own', refusal: null },
    ],
  );
  t.same([steps[0]?.rule, steps.at(-1)?.rule], ['platform', 'answer']);
});

t.test("the first app's store page is tried last, and only for phones", async (t) => {
  const ios = explain(t, 'ios', {}, { defaults: { web: null } }).steps;
  t.same(ios.filter((step) => step.rule === 'destination').at(-1), {
    rule: 'destination',
    inputs: { slot: 'ios', source: 'app', url: 'https://apps.apple.com/app/id1', refusal: null },
    detail: "The store page of the environment's first app for ios is taken.",
  });
  t.match(ios.at(-1)?.inputs, { outcome: 'to_open_page' });
  const android = explain(t, 'android', {}, { defaults: { web: null } }).steps;
  t.match(android.filter((step) => step.rule === 'destination').at(-1)?.inputs, { slot: 'android', source: 'app', url: null });
  t.match(android.at(-1)?.inputs, { outcome: 'no_destination' });
  const desktop = explain(t, 'desktop', {}, { defaults: { web: null } }).steps;
  t.notOk(desktop.some((step) => step.inputs.source === 'app'));
});

t.test('the steps for UTM fields and parameters say what was added and what was not', async (t) => {
  const passed = explain(t, 'desktop', {}, { query: 'a=1&utm_source=evil', passthrough: true });
  t.match(passed.steps.find((step) => step.rule === 'utm')?.inputs, {
    fields: ['utm_source=mail', 'utm_medium=m'],
    added: ['utm_source=mail'],
  });
  t.match(passed.steps.find((step) => step.rule === 'passthrough')?.inputs, { added: ['a=1'], params_dropped: false });
  t.match(passed.steps.at(-1)?.inputs, { outcome: 'redirect', destination: 'https://shop.example/p/1?utm_medium=own&utm_source=mail&a=1' });
  const ignored = explain(t, 'desktop', {}, { query: 'a=1' });
  t.match(
    ignored.steps.find((step) => step.rule === 'passthrough'),
    { inputs: { added: [] }, detail: /not passed on/ },
  );
  const dropped = explain(t, 'desktop', {}, { query: 'x'.repeat(3000), passthrough: true });
  t.match(
    dropped.steps.find((step) => step.rule === 'passthrough'),
    { inputs: { params_dropped: true }, detail: /left out completely/ },
  );
});

t.test('the interstitial is listed if the destination is an app or its store', async (t) => {
  const { steps } = explain(t, 'android', { android: 'https://play.google.com/store/apps/details?id=a' });
  t.match(steps.at(-2), { rule: 'interstitial', inputs: { interstitial: true, platform: 'android', destination_kind: 'play_store' } });
  t.match(steps.at(-1), { rule: 'answer', inputs: { outcome: 'to_open_page' } });
  t.notOk(explain(t, 'desktop', {}).steps.some((step) => step.rule === 'interstitial'));
});
