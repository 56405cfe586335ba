const eachAs = (spell: (character: string) => string) => (text: string) => Array.from(text, spell).join('');
const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const htmlEscapes = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[character] ?? '#39'};`);

/** What programs make of a text that they received, such as an API that repeats its request's headers. */
export const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in upper case': (text) => text.toUpperCase(),
  'in lower case': (text) => text.toLowerCase(),
  'escaped for JSON': json,
  'escaped for JSON twice': (text) => json(json(text)),
  'as JSON of ASCII alone': eachAs((character) => `\\u00${hexOf(character)}`),
  'as PHP writes JSON': (text) => json(text).replaceAll('/', '\\/'),
  'percent-encoded where a URL needs it': encodeURIComponent,
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent-encoded throughout': eachAs((character) => `%${hexOf(character)}`),
  'as a form': (text) => new URLSearchParams({ text }).toString(),
  'escaped for HTML': htmlEscapes,
  'in numeric references of HTML': eachAs((character) => `&#${character.charCodeAt(0)};`),
  'in hexadecimal references of HTML': eachAs((character) => `&#x${hexOf(character).toUpperCase()};`),
  'in Base64': (text) => Buffer.from(text).toString('base64'),
  'as a password of Basic': (text) => Buffer.from(`user:${text}`).toString('base64'),
  'as a user name of Basic': (text) => Buffer.from(`${text}:x`).toString('base64'),
  'in Base64 after two bytes': (text) => Buffer.from(`a:${text}`).toString('base64'),
  'in Base64url': (text) => Buffer.from(`{"key":"${text}"}`).toString('base64url'),
  'in Base64, percent-encoded': (text) => encodeURIComponent(Buffer.from(text).toString('base64')),
  'in hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
  'in upper-case hexadecimal digits': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'in UTF-16': (text) => Buffer.from(text, 'utf16le').toString('latin1'),
};
