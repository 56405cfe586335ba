import { schemeOf } from './destination-safety.js';

/** The name of an app's scheme as it begins a URL: the settings may hold it with a colon and slashes. */
export function schemeName(uriScheme: string): string {
  return uriScheme.replace(/:.*$/s, '');
}

/** The app whose own scheme the destination has, else the first one; undefined if there is none. A web page has the scheme of no app. */
export function appOfDestination<App extends { readonly uri_scheme: string | null }>(
  apps: readonly App[],
  destination: string,
): App | undefined {
  const scheme = schemeOf(destination);
  const named = apps.find(({ uri_scheme }) => uri_scheme !== null && schemeName(uri_scheme).toLowerCase() === scheme);
  return named ?? apps[0];
}
