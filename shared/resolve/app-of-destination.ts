import { schemeOf } from './destination-safety.js';

/** The name of an app's scheme as it appears at the start of a URL. The settings may contain it with a colon and slashes. */
export function schemeName(uriScheme: string): string {
  return uriScheme.replace(/:.*$/s, '');
}

/**
 * Returns the app whose own scheme the destination has, else the first app; undefined if there are no apps. A web page
 * has no app's scheme.
 */
export function appOfDestination<App extends { readonly uri_scheme: string | null }>(
  apps: readonly App[],
  destination: string,
): App | undefined {
  const scheme = schemeOf(destination);
  const named = apps.find(({ uri_scheme }) => uri_scheme !== null && schemeName(uri_scheme).toLowerCase() === scheme);
  return named ?? apps[0];
}
