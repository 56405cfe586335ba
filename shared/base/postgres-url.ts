import { parseUrl } from './parse-url.js';
import { SettingError } from './settings.js';

const EXPECTED = 'expected postgres://user:password@host:port/database, with special characters percent-encoded';

/** pg takes any other text for the name of a database on a host "base". */
const FORM = /^(postgres(ql)?:\/|socket:)/i;

/**
 * A connection string as it was given, or throws `SettingError`, which does not repeat it: it may hold a password. It is judged as
 * pg reads it, who takes URLs, also those without a host, and a folder of sockets with the database after it.
 */
export function postgresUrl(value: string): string {
  if (value.startsWith('/')) return value;
  const encoded = withEncodedSpaces(value).trim();
  // Where there is a user and no host, a parameter names the folder of the socket.
  const url = FORM.test(encoded) ? (parseUrl(encoded) ?? parseUrl(encoded.replace('@/', '@host/'))) : null;
  if (url === null || !isDecodable(url)) throw new SettingError(EXPECTED);
  return value;
}

/** As pg does with a space, or a "%" that begins no escape. */
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
