import type { Test } from 'tap';
import { callMetadataApi, compileMetadataApi, type RequestSender } from '../../shared/metadata/call.js';
import { type CheckedConfiguration, checkConfiguration } from '../../shared/metadata/configuration-rules.js';
import type { BoundedRequest, RequestOutcome } from '../../shared/net/bounded-request.js';
import fc from './properties.js';
import { SPELLINGS } from './secret-spellings.js';

/** A stored configuration, and the place and way for which its credential was given. */
interface Stored {
  readonly configuration: CheckedConfiguration['configuration'];
  readonly credential: { readonly secret: string; readonly place: string } | null;
}

const ORIGINS = ['https://api.example.com', 'https://api.example.com:8443', 'https://api.example.org', 'http://127.0.0.1:4000'];
const FIELDS = ['title', 'description', 'image_url', 'canonical_url', 'deep_link_path', 'web_fallback_url', 'resource_status'];

const visible = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), minLength: 8 });
const name = fc.constantFrom('X-Key', 'x-key', 'X-Other', 'Authorization');
const secret = fc.option(visible, { nil: undefined });

const auth = fc.option(
  fc.oneof(
    fc.constant({ type: 'none' }),
    fc.record({ type: fc.constant('bearer'), secret }),
    fc.record({ type: fc.constant('api_key_header'), header_name: name, secret }),
  ),
  { nil: undefined },
);
const put = fc.record({
  url_template: fc.tuple(fc.constantFrom(...ORIGINS), fc.constantFrom('/{id}', '/v2/{type}?id={id}')).map((parts) => parts.join('')),
  auth,
  field_mapping: fc.dictionary(fc.constantFrom(...FIELDS), fc.constantFrom('plain', 'route', 'url', 'headers', 'host', 'missing')),
  required_fields: fc.constant([]),
  allowed_image_hosts: fc.constantFrom([], ['images.example.com']),
});

/** An API that repeats what it received, in several places and one spelling. */
function echo({ headers }: BoundedRequest, spell: (text: string) => string): RequestOutcome {
  const sent = spell(
    Object.entries(headers)
      .flatMap(([header, value]) => (/^(accept|user-agent)$/.test(header) ? [] : value))
      .join(' '),
  );
  const url = `https://images.example.com/?sent=${sent}`;
  const body = JSON.stringify({ plain: sent, route: `/${sent}`, url, host: `https://${sent}.example.com/`, headers });
  return { kind: 'answered', status: 200, body: Buffer.from(body), truncated: false, latencyMs: 1 };
}

/** Returns what is stored after a PUT of `input`; if it is refused, what was stored before. */
function stored(before: Stored | null, input: object): Stored | null {
  const context = before && { ...before.configuration, secret_set: before.credential !== null };
  const checked = checkConfiguration(JSON.parse(JSON.stringify(input)), { allow: ['http://127.0.0.1:4000'], stored: context });
  if (!checked.ok) return before;
  const { configuration, credential } = checked.value;
  const { origin } = new URL(configuration.url_template);
  const place = `${origin} ${configuration.auth.type} ${configuration.auth.header_name?.toLowerCase()}`;
  if (credential.kind === 'set') return { configuration, credential: { secret: credential.secret, place } };
  return { configuration, credential: credential.kind === 'keep' ? (before?.credential ?? null) : null };
}

/** Fails if any of `configurations` shows a credential or has it sent to a place for which it was not given. */
export async function assertCredentialsStaySecret(t: Test, configurations: number): Promise<void> {
  let withCredential = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(put, { minLength: 4, maxLength: 4 }), fc.constantFrom(...Object.values(SPELLINGS)), async (puts, spell) => {
      let now: Stored | null = null;
      for (const input of puts) {
        now = stored(now, input);
        if (now === null) continue;
        const { configuration, credential } = now;
        const given = credential?.secret ?? null;
        const api = compileMetadataApi(configuration, { type: 'product', service_name: 'Service', credential: given });
        let sentTo: URL | null = null;
        const sender: RequestSender = {
          request: async (request) => {
            if (given !== null && JSON.stringify(request.headers).includes(JSON.stringify(given).slice(1, -1))) sentTo = request.url;
            return echo(request, spell);
          },
        };
        const made = await callMetadataApi(api, '1', sender, async () => new Set());
        if (given === null) continue;
        withCredential++;
        const { type, header_name } = configuration.auth;
        const { origin } = sentTo ?? { origin: 'nowhere' };
        if (`${origin} ${type} ${header_name?.toLowerCase()}` !== credential?.place) return false;
        const shown = `${JSON.stringify(made)} ${Object.values(made.answer.metadata ?? {}).join(' ')} ${made.shownBody(16_384)}`;
        if ([given, JSON.stringify(given).slice(1, -1), spell(given)].some((text) => shown.toLowerCase().includes(text.toLowerCase())))
          return false;
      }
      return true;
    }),
    { numRuns: configurations / 4 },
  );
  t.ok(withCredential > 0.4 * configurations, `${withCredential} of ${configurations} were called with a credential`);
}
