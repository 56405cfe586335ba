import type { EventData, EventType } from '../contract/schemas/events.js';
import type { EnvironmentName } from '../records/records.js';

/** Ids of samples contain a fixed ULID: they look real and belong to nothing. */
const SAMPLE_ULID = '01k0samp1e0000000000000000';

const SAMPLE_UTM = {
  utm_source: 'newsletter',
  utm_medium: 'email',
  utm_campaign: 'spring',
  utm_term: null,
  utm_content: null,
};

function sampleLink(at: string, environment: EnvironmentName): EventData<'link.created'> {
  return {
    id: `lnk_${SAMPLE_ULID}`,
    url: 'https://go.example.com/sample1',
    environment,
    path: 'sample1',
    status: 'active',
    deep_link_path: '/products/42',
    data: { product: 42 },
    campaign: 'spring',
    ...SAMPLE_UTM,
    allow_param_passthrough: true,
    destinations: {
      ios: 'https://apps.apple.com/app/id1',
      android: 'https://play.google.com/store/apps/details?id=com.example',
      web: 'https://example.com/products/42',
      desktop: null,
      fallback: 'https://example.com/',
    },
    card: null,
    domain: null,
    aliases: [{ host: 'go.example.com', path: 'spring/sale' }],
    active_from: null,
    expires_at: null,
    max_clicks: null,
    geo: null,
    interstitial: null,
    has_password: false,
    title: 'Spring newsletter',
    tags: ['spring'],
    comments: null,
    archived: false,
    created_by: 'Newsletter',
    created_at: at,
    updated_at: at,
  };
}

function sampleClick(at: string): EventData<'click.created'> {
  return {
    id: `clk_${SAMPLE_ULID}`,
    occurred_at: at,
    kind: 'link',
    link_id: `lnk_${SAMPLE_ULID}`,
    template_id: null,
    resource_type_id: null,
    resource_type: null,
    item_id: null,
    host: 'go.example.com',
    path: 'sample1',
    platform: 'ios',
    os_version: '18.1',
    in_app_browser: null,
    os: 'iOS',
    browser: 'Safari',
    browser_version: '18',
    bot: false,
    bot_reason: null,
    country: 'DE',
    region: 'DE-BE',
    city: 'Berlin',
    source: 'link',
    referrer_host: 'news.example.com',
    campaign: 'spring',
    ...SAMPLE_UTM,
    params: { ref: 'friend' },
    params_dropped: false,
    destination: 'https://apps.apple.com/app/id1',
  };
}

function sampleOpen(at: string): Omit<EventData<'install.attributed'>, 'attribution'> {
  return {
    install_id: 'a1b2c3d4-0000-4000-8000-000000000000',
    match_type: 'play_referrer',
    guaranteed: true,
    matched_factors: ['click_id'],
    reason: 'matched',
    click_id: `clk_${SAMPLE_ULID}`,
    link_id: `lnk_${SAMPLE_ULID}`,
    resource_type: null,
    item_id: null,
    deep_link_path: '/products/42',
    data: { product: 42 },
    params: { ref: 'friend' },
    platform: 'android',
    occurred_at: at,
  };
}

function sampleCampaign(at: string, status: 'active' | 'ended'): EventData<'campaign.created'> {
  return {
    id: `cmp_${SAMPLE_ULID}`,
    key: 'spring',
    name: 'Spring campaign',
    ...SAMPLE_UTM,
    status,
    starts_at: status === 'ended' ? new Date(Date.parse(at) - 86_400_000).toISOString() : at,
    ends_at: status === 'ended' ? at : null,
    created_at: at,
    updated_at: at,
  };
}

function sampleDomain(at: string, status: 'verified' | 'failed'): EventData<'domain.verified'> {
  return {
    id: `dom_${SAMPLE_ULID}`,
    hostname: 'go.example.com',
    status,
    failure_reason: status === 'failed' ? 'record_missing' : null,
    dns_record: { type: 'TXT', name: '_link-verification.go.example.com', value: 'link-verification=sample' },
    case_insensitive: false,
    qr_style: null,
    redirects: { root: 'https://example.com/', not_found: null, expired: null },
    last_checked_at: at,
    created_at: at,
    updated_at: at,
  };
}

const NO_MATCH = { match_type: null, guaranteed: false, matched_factors: [], click_id: null, link_id: null, params: null } as const;

const SAMPLES: { readonly [Name in EventType]: (at: string, environment: EnvironmentName) => EventData<Name> } = {
  'click.created': sampleClick,
  'install.attributed': (at) => ({ attribution: 'attributed', ...sampleOpen(at) }),
  'install.organic': (at) => ({
    attribution: 'organic',
    ...sampleOpen(at),
    ...NO_MATCH,
    matched_factors: [],
    reason: 'no_candidate',
    deep_link_path: null,
    data: null,
  }),
  'open.reengaged': (at) => ({ attribution: 'reengaged', ...sampleOpen(at), match_type: 'opened_url', matched_factors: ['opened_url'] }),
  'event.tracked': (at) => ({
    name: 'purchase',
    source: 'server',
    install_id: null,
    click_id: `clk_${SAMPLE_ULID}`,
    link_id: `lnk_${SAMPLE_ULID}`,
    campaign: 'spring',
    value: 19.9,
    currency: 'EUR',
    properties: { sku: 'A-1' },
    occurred_at: at,
  }),
  'link.created': sampleLink,
  'link.updated': (at, environment) => ({ ...sampleLink(at, environment), changed_fields: ['deep_link_path'] }),
  'link.disabled': (at, environment) => ({ ...sampleLink(at, environment), status: 'disabled', reason: 'disabled' }),
  'link.blocked': (at, environment) => ({
    ...sampleLink(at, environment),
    status: 'blocked',
    blocked_destination: 'https://example.com/products/42',
  }),
  'campaign.created': (at) => sampleCampaign(at, 'active'),
  'campaign.ended': (at) => sampleCampaign(at, 'ended'),
  'domain.verified': (at) => sampleDomain(at, 'verified'),
  'domain.failed': (at) => sampleDomain(at, 'failed'),
};

/** Sample `data` of a type for the test operation, made at the time given in milliseconds since the epoch. */
export function sampleData(type: EventType, environment: EnvironmentName, atMs: number): unknown {
  return SAMPLES[type](new Date(atMs).toISOString(), environment);
}

const EXAMPLE_AT_MS = Date.UTC(2030, 0, 31, 12);

/** The whole body of a sample event, always the same. It is what `POST /webhooks/{webhook}/test` sends, except for ids and times. */
export function exampleEvent(type: EventType): Readonly<Record<string, unknown>> {
  return {
    id: `evt_${SAMPLE_ULID}`,
    type,
    created_at: new Date(EXAMPLE_AT_MS).toISOString(),
    environment: 'live',
    test: true,
    data: sampleData(type, 'live', EXAMPLE_AT_MS),
  };
}
