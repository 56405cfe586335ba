import { urlOfField } from '../../forms/url-field.js';

/** Lists that stand in one text, with commas or line breaks between their items. */

/** Each item once. */
export function namesIn(text: string): readonly string[] {
  return [...new Set(text.split(/[,\n]/).map((name) => name.trim()))].filter((name) => name !== '');
}

/** Items such as `go.example.com/sale`, with or without a scheme. */
export function aliasesIn(text: string): readonly { readonly host: string; readonly path: string }[] {
  return namesIn(text).map((item) => {
    const [host = '', ...path] = item.replace(/^https?:\/\//, '').split('/');
    return { host, path: path.join('/') };
  });
}

export function aliasesText(aliases: readonly { readonly host: string; readonly path: string }[]): string {
  return aliases.map(({ host, path }) => `${host}/${path}`).join('\n');
}

/** Destinations by country, one in a line: `DE https://example.de/`. Null if there is none. */
export function geoIn(text: string): Readonly<Record<string, string>> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.map((line) => {
    const [, country = '', url = ''] = /^\s*(\S+)[\s:=]*(.*?)\s*$/.exec(line) ?? [];
    return [country.toUpperCase(), urlOfField(url) ?? ''] as const;
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

export function geoText(geo: Readonly<Record<string, string>> | null): string {
  return Object.entries(geo ?? {})
    .map(([country, url]) => `${country} ${url}`)
    .join('\n');
}
