import Type from 'typebox';
import {
  BRAND_LOGO_BASE64_CHARACTERS_MAX,
  BRAND_LOGO_BYTES_MAX,
  BRAND_LOGO_PIXELS_MAX,
  BRAND_NAME_CHARACTERS_MAX,
} from '../../base/brand-limits.js';
import { APPS_MAX, ATTRIBUTION_WINDOW_MINUTES_MAX, FINGERPRINTS_MAX, PATH_CHARACTERS_MAX, WEB_ORIGINS_MAX } from '../../base/limits.js';
import { LONG_LINK_HOSTS_MAX } from '../../base/long-link-limits.js';
import { slotsIn, slotsOut, urlIn } from './destination-fields.js';
import { closedObject, environmentName, id, nullable, plainText, text, timestamp } from './fields.js';

const defaultDestinationsSchema = Type.Object(slotsOut, {
  description:
    'Where links lead that set no destination of their own. `{deep_link_path}` is replaced by the in-app route of the link. If neither the link nor the environment sets a destination, a phone is sent to the store page of the first app in `ios_apps` or `android_apps`.',
});

const APPEND_CLICK_ID =
  'Whether the id of the click is added as `click_id` to the query of web destinations of links and items, unless they set it themselves or are on a host of this service. The client SDK on such a page keeps it and sends it with `track`, so that purchases there are counted';

const LONG_LINK_HOSTS =
  'Hosts that long links (`/?link=…`, as in Firebase Dynamic Links) may lead to, besides the store pages of the apps. If the list is empty, long links are off and show a status page';
const LONG_LINK_PATH = 'Path of the link for which visits of long links count. Its state and its rules apply to all long links';

const schemeText = text('Custom scheme of the app, without the colon', { examples: ['shop'] });

const iosAppSchema = Type.Object({
  team_id: text('Team ID'),
  bundle_id: text('Bundle ID'),
  app_store_url: nullable(text('Page of the app in the App Store')),
  uri_scheme: nullable(schemeText),
});

const androidAppSchema = Type.Object({
  package_name: text('Package name'),
  sha256_cert_fingerprints: Type.Array(Type.String(), { description: 'SHA-256 fingerprints of the signing certificates' }),
  play_store_url: nullable(text('Page of the app in the Play Store')),
  uri_scheme: nullable(schemeText),
});

const brandHelp = {
  name: 'Name that the pages show instead of the name of the project',
  color:
    'Colour of buttons and icons, as `#rrggbb`. Where text in it would be hard to read on the light or the dark page, the page uses a darker or lighter shade',
  support_url: 'Help page to which the pages link: http or https',
};

const brandSchema = Type.Object(
  {
    name: nullable(text(brandHelp.name, { examples: ['Shop'] })),
    color: nullable(text(brandHelp.color, { examples: ['#0d3b66'] })),
    logo: nullable(text('Logo, as a PNG in base64')),
    support_url: nullable(text(brandHelp.support_url)),
  },
  {
    description:
      'What visitors see on the pages of the link hosts: the page that opens the app, the one that asks for a password, and those without a destination',
  },
);

export const environmentSchema = Type.Object(
  {
    id: id('env_', 'Id of the environment'),
    name: environmentName,
    project: Type.Object(
      {
        id: id('prj_', 'Id of the project'),
        name: text('Name of the project'),
        time_zone: text('IANA time zone in which days are counted', { examples: ['Europe/Berlin'] }),
      },
      { description: 'The project of the environment' },
    ),
    link_host: text('Host of short URLs; set by the operator of the service', { examples: ['go.example.com'] }),
    link_origin: text('Origin of short URLs: scheme, link host and, if it is not the default one, port', {
      examples: ['https://go.example.com'],
    }),
    open_host: text('Host of the page that opens the app', { examples: ['open.go.example.com'] }),
    interstitial: Type.Boolean({ description: 'Phones on their way to a store or an app go over the page that opens the app' }),
    default_destinations: defaultDestinationsSchema,
    ios_apps: Type.Array(iosAppSchema, { description: 'iOS apps that may open the links' }),
    android_apps: Type.Array(androidAppSchema, { description: 'Android apps that may open the links' }),
    web_origins: Type.Array(Type.String(), { description: 'Origins from which browsers may call `/sdk/*`' }),
    attribution_window_minutes: Type.Integer({ description: 'Minutes after a click in which a first open may be matched to it' }),
    append_click_id: Type.Boolean({ description: APPEND_CLICK_ID }),
    brand: brandSchema,
    long_link_hosts: Type.Array(Type.String(), { description: LONG_LINK_HOSTS, examples: [['www.example.com']] }),
    long_link_path: nullable(text(LONG_LINK_PATH, { examples: ['long'] })),
    created_at: timestamp('When the environment was made'),
    updated_at: timestamp('When it was last changed'),
  },
  { description: 'The environment of the key, and its settings' },
);

export type Environment = Type.Static<typeof environmentSchema>;

const storeUrlIn = urlIn('https URL of the app in its store');

const schemeIn = Type.Optional(
  nullable(
    Type.String({
      pattern: '^[a-z][a-z0-9+.-]*$',
      minLength: 1,
      maxLength: 64,
      description: 'Custom scheme of the app, without the colon',
      examples: ['shop'],
    }),
  ),
);

const iosAppIn = closedObject({
  team_id: Type.String({ pattern: '^[A-Z0-9]{10}$', description: 'Ten letters and digits', examples: ['A1B2C3D4E5'] }),
  bundle_id: Type.String({
    pattern: '^[A-Za-z0-9.-]+$',
    minLength: 1,
    maxLength: 155,
    description: 'Bundle ID',
    examples: ['com.example.shop'],
  }),
  app_store_url: storeUrlIn,
  uri_scheme: schemeIn,
});

const androidAppIn = closedObject({
  package_name: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$',
    maxLength: 255,
    description: 'Package name',
    examples: ['com.example.shop'],
  }),
  sha256_cert_fingerprints: Type.Array(
    Type.String({ pattern: '^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}$', description: '32 bytes in hexadecimal, with colons' }),
    { minItems: 1, maxItems: FINGERPRINTS_MAX, description: 'SHA-256 fingerprints of the signing certificates' },
  ),
  play_store_url: storeUrlIn,
  uri_scheme: schemeIn,
});

const brandIn = closedObject(
  {
    name: Type.Optional(nullable(plainText(brandHelp.name, 1, BRAND_NAME_CHARACTERS_MAX))),
    color: Type.Optional(nullable(Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: brandHelp.color, examples: ['#0d3b66'] }))),
    logo: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: BRAND_LOGO_BASE64_CHARACTERS_MAX,
          pattern: '^[A-Za-z0-9+/]+={0,2}$',
          description: `A PNG in base64, ${BRAND_LOGO_BYTES_MAX / 1024} KiB and ${BRAND_LOGO_PIXELS_MAX} pixels wide or high at most. Only its pixels are stored, without metadata. It is shown 64 pixels high`,
        }),
      ),
    ),
    support_url: urlIn(brandHelp.support_url),
  },
  {
    description: 'An absent member keeps its value, null clears it, and null instead of the object clears all of them.',
    examples: [{ name: 'Shop', color: '#0d3b66', support_url: 'https://example.com/help' }],
  },
);

export const environmentPatchSchema = closedObject(
  {
    open_host: Type.Optional(plainText('A host name below the link host or below a verified domain of the environment', 1, 253)),
    interstitial: Type.Optional(
      Type.Boolean({ description: 'Phones on their way to a store or an app go over the page that opens the app' }),
    ),
    default_destinations: Type.Optional(
      nullable(
        closedObject(slotsIn, {
          description:
            'An absent platform keeps its value, null clears it, and null instead of the object clears all five. `{deep_link_path}` may be used in path, query and fragment.',
          examples: [{ web: 'https://example.com{deep_link_path}', ios: 'https://apps.apple.com/app/id1' }],
        }),
      ),
    ),
    ios_apps: Type.Optional(Type.Array(iosAppIn, { maxItems: APPS_MAX, description: 'Replaces the list' })),
    android_apps: Type.Optional(Type.Array(androidAppIn, { maxItems: APPS_MAX, description: 'Replaces the list' })),
    web_origins: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        maxItems: WEB_ORIGINS_MAX,
        description:
          'Replaces the list. Origins as browsers send them: scheme, host, and the port if it is not the default one. IDN is stored in ASCII. No wildcards. `capacitor://localhost` and `ionic://localhost` are origins of apps',
        examples: [['https://www.example.com', 'http://localhost:5173']],
      }),
    ),
    attribution_window_minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: ATTRIBUTION_WINDOW_MINUTES_MAX, description: 'Minutes after a click' }),
    ),
    append_click_id: Type.Optional(Type.Boolean({ description: APPEND_CLICK_ID })),
    brand: Type.Optional(nullable(brandIn)),
    long_link_hosts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
        maxItems: LONG_LINK_HOSTS_MAX,
        description: `Replaces the list. ${LONG_LINK_HOSTS}. A host does not include its subdomains`,
        examples: [['www.example.com']],
      }),
    ),
    long_link_path: Type.Optional(nullable(plainText(`${LONG_LINK_PATH}. The link must exist`, 1, PATH_CHARACTERS_MAX))),
  },
  { description: 'Settings to change. An absent one keeps its value.' },
);

export type EnvironmentPatch = Type.Static<typeof environmentPatchSchema>;
