import { COMMENTS_CHARACTERS_MAX, LINK_TITLE_CHARACTERS_MAX, UTM_CHARACTERS_MAX } from '../base/limits.js';

/**
 * What can be set on a link, one line for each field: the columns of `links`, the statements that read and write them,
 * the schemas of the REST API, the events and the columns of an import all follow from here. A new field is a line
 * here, a migration that adds its column, and a test. A field that visits need is in `LinkRecord` as well, from which
 * its codec and the record of the link index follow.
 *
 * If `default` is left out, the field is null unless it is set, and null clears it.
 */
export const LINK_FIELDS = {
  deep_link_path: { type: 'text', default: '/', visits: true, help: 'In-app route' },
  data: { type: 'json', visits: true, help: 'Custom JSON delivered to the app' },
  campaign: {
    type: 'text',
    characters_max: 64,
    visits: true,
    help: 'Key of a campaign of the environment. Its UTM fields are the defaults',
  },
  utm_source: { type: 'text', characters_max: UTM_CHARACTERS_MAX, visits: true, help: 'UTM source; takes precedence over the campaign' },
  utm_medium: { type: 'text', characters_max: UTM_CHARACTERS_MAX, visits: true, help: 'UTM medium; takes precedence over the campaign' },
  utm_campaign: {
    type: 'text',
    characters_max: UTM_CHARACTERS_MAX,
    visits: true,
    help: 'UTM campaign; takes precedence over the campaign',
  },
  utm_term: { type: 'text', characters_max: UTM_CHARACTERS_MAX, visits: true, help: 'UTM term; takes precedence over the campaign' },
  utm_content: { type: 'text', characters_max: UTM_CHARACTERS_MAX, visits: true, help: 'UTM content; takes precedence over the campaign' },
  allow_param_passthrough: {
    ...{ type: 'boolean', default: false, visits: true },
    help: 'Whether query parameters of the short URL are stored with the click and passed to the destination and the app',
  },
  destinations: { type: 'destinations', default: {}, visits: true, help: "The link's own destinations" },
  card: { type: 'card', visits: true, help: 'Preview card that chats and social networks show for the link' },
  domain: {
    ...{ type: 'text', characters_max: 253, visits: false },
    help: 'Custom host of the `url`. It is used while it is a verified domain of the environment, and also as long as the address of the link on the link host is an alias of another link',
  },
  aliases: { type: 'aliases', default: [], visits: false, help: 'Other addresses that lead to the link' },
  active_from: {
    type: 'timestamptz',
    visits: true,
    help: 'When the link begins to work. Before that, visitors see the page for a link that does not exist',
  },
  expires_at: { type: 'timestamptz', visits: true, help: 'When the link stops working' },
  max_clicks: { type: 'integer', visits: true, help: 'How many clicks the link accepts. After that it has expired' },
  password: {
    type: 'password',
    visits: true,
    help: 'Visitors have to enter it before they are redirected. It is stored as a hash and never shown',
  },
  geo: { type: 'geo', visits: true, help: 'Destinations of visitors in a browser by country code (ISO 3166-1 alpha-2)' },
  interstitial: {
    type: 'boolean',
    visits: true,
    help: 'Whether phones are sent to the page that opens the app; null: as set for the environment',
  },
  title: {
    ...{ type: 'text', characters_max: LINK_TITLE_CHARACTERS_MAX, visits: false },
    help: 'Name for people who work with the link. Visitors do not see it',
  },
  tags: { type: 'tags', default: [], visits: false, help: 'Names of tags, in the order in which they were given' },
  comments: {
    ...{ type: 'text', characters_max: COMMENTS_CHARACTERS_MAX, lines: true, visits: false },
    help: 'Notes for people who work with the link. Visitors and apps do not see them',
  },
  archived: { type: 'boolean', default: false, visits: false, help: 'Whether the link is left out of lists by default. It keeps working' },
} as const satisfies Readonly<Record<string, LinkField>>;

interface LinkField {
  readonly type:
    | 'text'
    | 'json'
    | 'boolean'
    | 'destinations'
    | 'card'
    | 'tags'
    | 'aliases'
    | 'timestamptz'
    | 'integer'
    | 'password'
    | 'geo';
  readonly default?: string | boolean | readonly never[] | Readonly<Record<string, never>>;
  /** For a text of which only the length is checked. */
  readonly characters_max?: number;
  /** Whether such a text may have several lines. */
  readonly lines?: true;
  /** Whether the engine needs it, and keeps it in its copy. */
  readonly visits: boolean;
  readonly help: string;
}

export type LinkFieldName = keyof typeof LINK_FIELDS;

/** Names of the fields of a type. */
export type LinkFieldOf<Facts extends Partial<LinkField>> = {
  [Name in LinkFieldName]: (typeof LINK_FIELDS)[Name] extends Facts ? Name : never;
}[LinkFieldName];

/** Texts that are null unless they are set. */
export type OptionalLinkText = LinkFieldOf<{ characters_max: number }>;

export const LINK_FIELD_NAMES = Object.keys(LINK_FIELDS) as readonly LinkFieldName[];

export function linkFieldNames<const Facts extends Partial<LinkField>>(facts: Facts): readonly LinkFieldOf<Facts>[] {
  const wanted = Object.entries(facts);
  return LINK_FIELD_NAMES.filter((name) =>
    wanted.every(([fact, value]) => (LINK_FIELDS[name] as LinkField)[fact as keyof LinkField] === value),
  ) as unknown as readonly LinkFieldOf<Facts>[];
}

export const OPTIONAL_LINK_TEXTS = LINK_FIELD_NAMES.filter((name) => 'characters_max' in LINK_FIELDS[name]) as readonly OptionalLinkText[];
