import Type from 'typebox';
import { GEO_COUNTRIES_MAX, MAX_CLICKS_MAX, PASSWORD_CHARACTERS_MAX } from '../../base/limits.js';
import { LINK_FIELDS } from '../../records/link-fields.js';
import { urlText } from './destination-fields.js';
import { nullable, plainText, timestamp } from './fields.js';

const COUNTRY = '^[A-Z]{2}$';

const geoHelp =
  'They replace the destinations `web`, `desktop` and `fallback`; `ios` and `android` stay as they are. The country comes from a trusted proxy or from the operator’s IP address database';

const geoOut = Type.Record(Type.String(), Type.String(), {
  description: `${LINK_FIELDS.geo.help}. ${geoHelp}.`,
  examples: [{ DE: 'https://example.de/' }],
});

const geoIn = Type.Unsafe<Record<string, string> | null>({
  type: ['object', 'null'],
  propertyNames: { pattern: COUNTRY, format: 'country' },
  additionalProperties: urlText('Destination of visitors from the country'),
  maxProperties: GEO_COUNTRIES_MAX,
  description: `${LINK_FIELDS.geo.help}: http or https. ${geoHelp}. A PATCH replaces all of them.`,
  examples: [{ DE: 'https://example.de/', FR: 'https://example.fr/' }],
});

/** When, where and how often a link leads, as it is shown. */
export const rulesOut = {
  active_from: nullable(timestamp(LINK_FIELDS.active_from.help)),
  max_clicks: nullable(Type.Integer({ description: LINK_FIELDS.max_clicks.help })),
  geo: nullable(geoOut),
  interstitial: nullable(Type.Boolean({ description: LINK_FIELDS.interstitial.help })),
};

/** The same as it is set, and the password. */
export const rulesIn = {
  active_from: Type.Optional(nullable(timestamp('When the link begins to work: ISO 8601 with any offset. Before that, visitors get 404'))),
  max_clicks: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_CLICKS_MAX,
        description:
          'How many clicks the link accepts, exactly and over all link hosts together, counted from the time when the limit is first set. After that it has expired (410). Every click counts, including those of bots. Phones are not sent to the page that opens the app, and a preview bot gets a card. While the database is unavailable, visitors are asked to try again (503).',
      }),
    ),
  ),
  password: Type.Optional(
    nullable(
      plainText(
        'Visitors have to enter it on a page (401) before they are redirected. It is stored as a hash (scrypt) and never shown; `has_password` says whether there is one. Phones are not sent to the page that opens the app, and a preview bot gets a card.',
        1,
        PASSWORD_CHARACTERS_MAX,
      ),
    ),
  ),
  geo: Type.Optional(geoIn),
  interstitial: Type.Optional(nullable(Type.Boolean({ description: LINK_FIELDS.interstitial.help }))),
};
