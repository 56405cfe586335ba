import t, { type Test } from 'tap';
import { idTimeMs } from '../../../shared/base/ids.js';
import { EVENT_TYPES } from '../../../shared/contract/schemas/events.js';
import {
  type ClickEventInput,
  clickCreatedEvent,
  type EventOrigin,
  eventColumns,
  type LinkEventInput,
  linkCreatedEvent,
  linkDisabledEvent,
  linkUpdatedEvent,
  sampleEvent,
} from '../../../shared/webhooks/body.js';
import { bodyFault } from '../../support/event-bodies.js';

const ORIGIN: EventOrigin = { environment_id: 'env_1', environment: 'live', at_ms: Date.UTC(2026, 10, 20, 8, 9, 10, 11) };

const LINK: LinkEventInput = {
  id: 'lnk_1',
  url: 'https://go.example.com/a',
  environment: 'live',
  path: 'a',
  status: 'active',
  deep_link_path: '/',
  data: { z: 1, a: [2] },
  campaign: null,
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
  allow_param_passthrough: false,
  destinations: { ios: null, android: null, web: 'https://example.com/', desktop: null, fallback: null },
  card: null,
  active_from: null,
  max_clicks: null,
  geo: null,
  interstitial: null,
  has_password: false,
  domain: null,
  expires_at: null,
  aliases: [],
  title: null,
  tags: ['print', 'spring'],
  comments: null,
  archived: false,
  created_by: 'Shop',
  created_at: '2026-11-20T08:09:10.011Z',
  updated_at: '2026-11-20T08:09:10.011Z',
};

const CLICK: ClickEventInput = {
  id: 'clk_1',
  occurred_at_ms: ORIGIN.at_ms - 1500,
  kind: 'link',
  subject_id: 'lnk_1',
  resource_type_id: null,
  resource_type: null,
  item_id: null,
  host: 'go.example.com',
  path: '/a',
  platform: 'ios',
  os_version: '18.1',
  in_app_browser: null,
  os: 'iOS',
  browser: 'Safari',
  browser_version: '18',
  bot: true,
  bot_reason: 'isbot',
  country: null,
  region: null,
  city: null,
  source: 'qr',
  referrer_host: null,
  campaign: null,
  utm_source: 'x',
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
  params: 'ref=first&ref=second&__proto__=p&empty=',
  params_dropped: false,
  destination: 'https://example.com/',
};

function assertValid(test: Test, type: (typeof EVENT_TYPES)[number], body: string): void {
  test.equal(bodyFault(type, body), null, `${type} is valid by its schema`);
}

t.test('the sample of each of the thirteen types is valid by its published schema, and is marked as test data', async (t) => {
  t.equal(EVENT_TYPES.length, 13);
  for (const type of EVENT_TYPES) {
    const event = sampleEvent(ORIGIN, type);
    const parsed = JSON.parse(event.body);
    assertValid(t, type, event.body);
    t.match(parsed, { id: event.id, type, created_at: '2026-11-20T08:09:10.011Z', environment: 'live', test: true });
    t.notSame(sampleEvent(ORIGIN, type).id, event.id, 'each sample has a new id');
  }
});

t.test('a sample of a link is of the environment that it is sent in', async (t) => {
  const { environment, data } = JSON.parse(sampleEvent({ ...ORIGIN, environment: 'test' }, 'link.created').body);
  t.same([environment, data.environment], ['test', 'test']);
});

t.test('samples have plausible values', async (t) => {
  const dataOf = (type: (typeof EVENT_TYPES)[number]) => JSON.parse(sampleEvent(ORIGIN, type).body).data;
  t.equal(dataOf('click.created').path, dataOf('link.created').path, 'paths have no slash at the start');
  for (const type of ['install.attributed', 'open.reengaged'] as const) t.equal(dataOf(type).reason, 'matched');
  const { starts_at, ends_at } = dataOf('campaign.ended');
  t.ok(starts_at < ends_at);
});

t.test('the events of a link contain the link, with the members of its data in their original order', async (t) => {
  const created = linkCreatedEvent(ORIGIN, LINK);
  assertValid(t, 'link.created', created.body);
  t.same(JSON.parse(created.body).data, LINK);
  t.notOk('test' in JSON.parse(created.body), 'only sample events have the member test');
  t.match(created.body, /"data":\{"z":1,"a":\[2\]\}/);
  t.equal(idTimeMs('event', created.id), ORIGIN.at_ms);

  const updated = linkUpdatedEvent(ORIGIN, LINK, ['campaign', 'destinations']);
  assertValid(t, 'link.updated', updated.body);
  t.same(JSON.parse(updated.body).data.changed_fields, ['campaign', 'destinations']);

  const disabled = linkDisabledEvent(ORIGIN, { ...LINK, status: 'disabled' }, 'deleted');
  assertValid(t, 'link.disabled', disabled.body);
  t.match(JSON.parse(disabled.body).data, { status: 'disabled', reason: 'deleted' });
});

t.test('the event of a click marks bots and gives each parameter by name, with its first value', async (t) => {
  const event = clickCreatedEvent(ORIGIN, CLICK);
  assertValid(t, 'click.created', event.body);
  const { data } = JSON.parse(event.body);
  t.match(data, {
    id: 'clk_1',
    bot: true,
    bot_reason: 'isbot',
    os: 'iOS',
    browser: 'Safari',
    browser_version: '18',
    source: 'qr',
    link_id: 'lnk_1',
    template_id: null,
    occurred_at: '2026-11-20T08:09:08.511Z',
  });
  t.same(Object.entries(data.params), [
    ['ref', 'first'],
    ['__proto__', 'p'],
    ['empty', ''],
  ]);
  const template = clickCreatedEvent(ORIGIN, {
    ...CLICK,
    kind: 'template',
    subject_id: 'tpl_1',
    resource_type_id: 'rt_1',
    resource_type: 'product',
    item_id: '42',
    params: null,
  });
  assertValid(t, 'click.created', template.body);
  t.match(JSON.parse(template.body).data, { link_id: null, template_id: 'tpl_1', resource_type: 'product', item_id: '42', params: null });
});

t.test("the columns of events are in the order of the statement's parameters", async (t) => {
  const events = [linkCreatedEvent(ORIGIN, LINK), clickCreatedEvent(ORIGIN, CLICK)];
  t.same(eventColumns(events), [
    events.map((event) => event.id),
    [new Date(ORIGIN.at_ms), new Date(ORIGIN.at_ms)],
    ['env_1', 'env_1'],
    ['link.created', 'click.created'],
    events.map((event) => event.body),
  ]);
});
