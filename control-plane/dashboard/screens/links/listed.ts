import { partsOf } from '../../format/text-parts.js';
import { withoutScheme } from '../../format/urls.js';
import { urlOfField } from '../../forms/url-field.js';

/** Lists that are entered as one text. */

/** Names separated by commas or line breaks, without duplicates. */
export function namesIn(text: string): readonly string[] {
  return itemsIn(text, /[,\n]/);
}

function itemsIn(text: string, between: RegExp): readonly string[] {
  return [...new Set(partsOf(text, between))];
}

/** Addresses such as `go.example.com/sale`, with or without a scheme, one per line, because a path may contain commas. */
export function aliasesIn(text: string): readonly { readonly host: string; readonly path: string }[] {
  return itemsIn(text, /\n/).map((item) => {
    const [host = '', ...path] = withoutScheme(item).split('/');
    return { host, path: path.join('/') };
  });
}

/** Trailing spaces of a path are escaped, because they would be lost at the end of a line. The address stays the same. */
export function aliasesText(aliases: readonly { readonly host: string; readonly path: string }[]): string {
  return aliases.map(({ host, path }) => `${host}/${path.replace(/\s+$/, encodeURIComponent)}`).join('\n');
}

/** Destinations by country, one per line: `DE https://example.de/`, also with a colon or an equals sign between the two. */
function geoLinesIn(text: string): readonly (readonly [country: string, url: string])[] {
  return partsOf(text, '\n').map((line) => {
    const [, country = '', url = ''] = /^([^\s:=]*)[\s:=]*(.*)$/.exec(line) ?? [];
    return [country.toUpperCase(), urlOfField(url) ?? ''];
  });
}

/** The destinations by country; null if there is none. */
export function geoIn(text: string): Readonly<Record<string, string>> | null {
  const lines = geoLinesIn(text);
  return lines.length === 0 ? null : Object.fromEntries(lines);
}

/** The first country that has two lines; null if each has one. */
export function countryTwiceIn(text: string): string | null {
  const countries = geoLinesIn(text).map(([country]) => country);
  return countries.find((country, place) => countries.indexOf(country) !== place) ?? null;
}

export function geoText(geo: Readonly<Record<string, string>> | null): string {
  return Object.entries(geo ?? {})
    .map(([country, url]) => `${country} ${url}`)
    .join('\n');
}
