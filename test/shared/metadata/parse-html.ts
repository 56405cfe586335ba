/**
 * The part of the HTML standard's tokenizer (https://html.spec.whatwg.org/multipage/parsing.html#tokenization) that a page
 * without scripts and comments needs: tags, attributes in all three quotings, texts, and character references. It is as forgiving
 * as browsers are, so that text that breaks out of its place shows as additional tokens.
 */
export type Token =
  | { readonly kind: 'start'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'end'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'markup'; readonly text: string };

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** The semicolon at the end of a reference is optional. */
function unescapeText(text: string): string {
  return text.replace(/&(?:#[xX]([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos|nbsp));?/g, (_, hex, decimal, name) =>
    name === undefined ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) : (NAMED[name] as string),
  );
}

interface Cursor {
  readonly html: string;
  at: number;
}

function take(cursor: Cursor, pattern: RegExp): string {
  const sticky = new RegExp(pattern.source, 'y');
  sticky.lastIndex = cursor.at;
  const found = sticky.exec(cursor.html)?.[0] ?? '';
  cursor.at += found.length;
  return found;
}

function attributeValue(cursor: Cursor): string {
  const quote = take(cursor, /["']/);
  if (quote === '') return take(cursor, /[^\s>]*/);
  const value = take(cursor, quote === '"' ? /[^"]*/ : /[^']*/);
  cursor.at++;
  return value;
}

function attributesAt(cursor: Cursor): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (;;) {
    take(cursor, /[\s/]*/);
    const name = take(cursor, /[^\s/>=][^\s/>=]*/).toLowerCase();
    if (name === '') break;
    take(cursor, /\s*/);
    const hasValue = take(cursor, /=\s*/) !== '';
    const value = hasValue ? unescapeText(attributeValue(cursor)) : '';
    if (!Object.hasOwn(attributes, name)) attributes[name] = value;
  }
  take(cursor, /[^>]*>/);
  return attributes;
}

export function parseHtml(html: string): Token[] {
  const tokens: Token[] = [];
  const cursor: Cursor = { html, at: 0 };
  while (cursor.at < html.length) {
    const text = take(cursor, /(?:[^<]|<(?![a-zA-Z/!?]))+/);
    if (text !== '') tokens.push({ kind: 'text', text: unescapeText(text) });
    else if (take(cursor, /<[!?]/) !== '') tokens.push({ kind: 'markup', text: take(cursor, /[^>]*>/) });
    else if (take(cursor, /<\//) !== '')
      tokens.push({
        kind: 'end',
        name: take(cursor, /[^>]*>/)
          .slice(0, -1)
          .toLowerCase(),
      });
    else {
      take(cursor, /</);
      const name = take(cursor, /[^\s/>]+/).toLowerCase();
      tokens.push({ kind: 'start', name, attributes: attributesAt(cursor) });
    }
  }
  return tokens;
}
