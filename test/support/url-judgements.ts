import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { storedDefaultDestination } from '../../control-plane/environment/default-destination.js';
import { environmentFieldErrors } from '../../control-plane/environment/rules.js';
import { isSameRequest, storedUrl } from '../../control-plane/webhooks/rules.js';
import { receivingHost } from '../../engine/webhooks/receiving-host.js';
import { clipboardClickId } from '../../shared/attribution/named-click.js';
import { parseUrl } from '../../shared/base/parse-url.js';
import { textExcerpt } from '../../shared/base/text-excerpt.js';
import { checkConfiguration } from '../../shared/metadata/configuration-rules.js';
import { textOfField } from '../../shared/metadata/field-text.js';
import { asciiHostName, isHostField, isHostName } from '../../shared/net/host-name.js';
import { judgeHostname, judgeUrl } from '../../shared/net/public-host.js';
import { blocklistKeys, parseBlocklistLine } from '../../shared/resolve/blocklist.js';
import { suspicionReasons } from '../../shared/resolve/destination-check.js';
import { checkRedirect } from '../../shared/resolve/destination-rules.js';
import { judgeDestination, storeWebUrl } from '../../shared/resolve/destination-safety.js';
import { readTriedPath } from '../../shared/resolve/explain-template.js';
import { type LongLinkSettings, readLongLink, routeOfDeepLink } from '../../shared/resolve/long-link.js';
import { ownPage } from '../../shared/resolve/own-page.js';
import { readPassthrough } from '../../shared/resolve/passthrough.js';
import { type OwnSchemes, storedDestination, storedImage } from '../../shared/resolve/stored-destination.js';
import fc from './properties.js';

const NO_APPS: OwnSchemes = { ios: [], android: [] };

const LONG_LINKS: LongLinkSettings = { long_link_hosts: ['*'], long_link_path: '/', ios_apps: [], android_apps: [] };

/** Every function that judges a URL or a host name by its text, and the native functions on which such judgements depend. */
export const URL_JUDGEMENTS: Readonly<Record<string, (text: string) => unknown>> = {
  parseUrl: (text) => parseUrl(text)?.href,
  'destination of a link': (text) => storedDestination(text, 'web', NO_APPS),
  'destination of a link on one platform': (text) => storedDestination(text, 'ios', NO_APPS),
  'destination of a template': (text) => checkRedirect(text, 'android', NO_APPS, '/url'),
  'destination of an environment': (text) => storedDefaultDestination(text, 'web', NO_APPS),
  'long link': (text) => readLongLink(new URLSearchParams({ link: text, ofl: text, si: text, ius: text }).toString(), LONG_LINKS),
  'route of a deep link': routeOfDeepLink,
  'page of a domain': (text) =>
    ownPage('not_found', '/', { hostname: 'example.com', root_url: text, not_found_url: text, expired_url: null }),
  'image of a link': storedImage,
  'destination at a visit': (text) => judgeDestination(text, 'web'),
  'page of a store': storeWebUrl,
  'suspicious destination': suspicionReasons,
  'keys on a block list': blocklistKeys,
  'line of a block list': (text) => parseBlocklistLine('plain', text),
  'settings of an environment': (text) =>
    environmentFieldErrors({ open_host: text, ios_apps: [{ app_store_url: text, uri_scheme: text }], web_origins: [text] }, NO_APPS),
  'URL of a metadata API': (text) => checkConfiguration({ url_template: text, allowed_image_hosts: [text] }, { allow: [], stored: null }),
  'image of an answer': (text) => textOfField('image_url', text, []),
  'page of an answer': (text) => textOfField('canonical_url', text, []),
  'URL of a webhook': (text) => judgeUrl(text, []),
  'stored URL of a webhook': (text) => parseUrl(text) && storedUrl(text),
  'same URL of a webhook': (text) => parseUrl(text) && isSameRequest(text, 'https://example.com/'),
  'host of a receiver': receivingHost,
  'public host name': judgeHostname,
  'host name in ASCII': asciiHostName,
  'host name': isHostName,
  'field "Host"': isHostField,
  'tried path': readTriedPath,
  clipboard: clipboardClickId,
  'query handed on': readPassthrough,
  'bytes of a text': (text) => Buffer.byteLength(text),
  'excerpt of a text': (text) => textExcerpt(Buffer.from(text), 40),
};

/** With letters of one byte and of several bytes, because V8 stores and optimises the two kinds of strings separately. */
const HOSTS = [
  'example.com',
  'EXAMPLE.com',
  'm\u00fcller.de',
  'fa\u00df.de',
  'xn--mller-kva.de',
  '\u4f8b\u3048.jp',
  '\u0430pple.com',
  'b\u00fc\u00ffcher.example.',
  '127.0.0.1',
  '0x7f.1',
  '2130706433',
  '[::1]',
  '%65vil.example',
  'a..b',
  'localhost',
  'm\u00fc\u0308ller.de',
  '\ud83d\ude00.example',
  'play.google.com',
];

const PIECES = [
  'a',
  'Z',
  '0',
  '-',
  '.',
  '/',
  '//',
  '?',
  '#',
  '&',
  '=',
  '@',
  ':',
  '\\',
  '%',
  '%41',
  '%ff',
  '{id}',
  ' ',
  '\t',
  '\u00e9',
  '\u00ff',
];

function urlArbitrary(): fc.Arbitrary<string> {
  const scheme = fc.constantFrom(
    'https://',
    'http://',
    'HTTPS://',
    'https:',
    'https:/',
    'https:\\\\',
    ' https://',
    'myapp://',
    'intent:',
    '',
    '//',
  );
  const host = fc.oneof(
    fc.constantFrom(...HOSTS),
    fc.webUrl().map((url) => url.slice(url.indexOf('//') + 2)),
  );
  const rest = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 8 });
  return fc.tuple(scheme, host, fc.constantFrom('', '/', ':8443/', '/\u00e9'), rest).map(([a, b, c, d]) => a + b + c + d.join(''));
}

/** Returns the same `count` URLs at every call, in every process. */
export function urlSamples(count: number): string[] {
  return fc.sample(urlArbitrary(), { numRuns: count, seed: 29 });
}

/** Returns what each judgement says about each URL, as text. */
export function verdicts(urls: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(URL_JUDGEMENTS).map(([name, judge]) => [name, urls.map((url) => JSON.stringify(judge(url)) ?? 'undefined')]),
  );
}

/** Returns verdicts of a process that never optimises, so that every call is like the first one. */
export function coldVerdicts(count: number): Record<string, string[]> {
  const program = fileURLToPath(new URL('./print-verdicts.js', import.meta.url));
  const printed = execFileSync(process.execPath, ['--no-opt', '--no-maglev', program, String(count)], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  return JSON.parse(printed) as Record<string, string[]>;
}

/** Calls each judgement until V8 has optimised it. */
export function warmUp(urls: readonly string[], calls: number): void {
  for (const judge of Object.values(URL_JUDGEMENTS)) for (let call = 0; call < calls; call++) judge(urls[call % urls.length] as string);
}
