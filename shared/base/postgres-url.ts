import { parseUrl } from './parse-url.js';
import { SettingError } from './settings.js';

const EXPECTED = 'expected postgres://user:password@host:port/database, with special characters percent-encoded';

/** Forms that pg reads as a URL. It takes any other text for the name of a database on a host "base". */
const FORM = /^(postgres(ql)?:\/|socket:)/i;

/** The modes that pg knows. It takes any other one, such as a misspelt `disabled`, for `verify-full`. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * Returns a connection string as it was given. Throws `SettingError`, which does not repeat the string, because it may
 * contain a password. It is judged as pg reads it, which accepts URLs, also those without a host, and a folder of
 * sockets followed by the database.
 */
export function postgresUrl(value: string): string {
  if (value.startsWith('/')) return value;
  const encoded = withEncodedSpaces(value).trim();
  // If there is a user and no host, a parameter names the folder of the socket.
  const url = FORM.test(encoded) ? (parseUrl(encoded) ?? parseUrl(encoded.replace('@/', '@host/'))) : null;
  if (url === null || !isDecodable(url)) throw new SettingError(EXPECTED);
  if (url.searchParams.getAll('sslmode').some((mode) => mode !== '' && !SSL_MODES.includes(mode)))
    throw new SettingError(`expected sslmode to be one of ${SSL_MODES.join(', ')}`);
  return value;
}

/** Encodes a text with a space, or with a "%" that begins no escape, as pg does. */
function withEncodedSpaces(value: string): string {
  return / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i.test(value) ? encodeURI(value).replace(/%25(\d\d)/g, '%$1') : value;
}

function isDecodable({ username, password, hostname, pathname }: URL): boolean {
  try {
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
