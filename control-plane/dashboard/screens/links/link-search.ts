import { withoutScheme } from '../../format/urls.js';
import { useAllRows } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';

const SEARCH_CHARACTERS_MAX = 200;

/** Returns a function that turns the user's text into the text to search for. */
export function useLinkSearch(): (text: string) => string {
  const { settings } = useSignedIn();
  const domains = useAllRows('GET /domains', { query: { status: 'verified' } }).rows;
  const hosts = [settings.link_host, ...domains.map(({ hostname }) => hostname)];
  return (text) => searchedFor(text, hosts);
}

/** Searches for the path of a short URL, because links do not contain their host. */
function searchedFor(text: string, hosts: readonly string[]): string {
  const words = text.trim();
  const [host = '', ...path] = withoutScheme(words).split('/');
  const isShort = path.length > 0 && hosts.includes(host.replace(/:\d+$/, ''));
  return (isShort ? path.join('/').replace(/[?#].*$/, '') : words).slice(0, SEARCH_CHARACTERS_MAX);
}
