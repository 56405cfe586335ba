import type { AndroidApp, IosApp } from '../../shared/records/records.js';

/**
 * Files from which a phone learns that an app may open the links of a host.
 * Apple: https://developer.apple.com/documentation/xcode/supporting-associated-domains; components are tried in order,
 * so the exclusions come first. Google: https://developer.android.com/training/app-links/configure-assetlinks.
 */

/**
 * Addresses of the link host that are not links: the app must not open for them. Links that currently have no destination cannot
 * be listed here, because phones read this file only once every few days. The app calls `/sdk/resolve` and shows the reason.
 */
const NO_LINKS = ['/.well-known/*', '/apple-app-site-association', '/robots.txt', '/favicon.ico', '/health/*', '/'];

const LONG_LINK = { '/': '/', '?': { link: '?*' } };

/**
 * Returns null if the environment has no iOS app. If `longLinks` is true, the app also opens for `/?link=…`; that component
 * precedes the exclusion of `/`.
 */
export function appleAppSiteAssociation(apps: readonly IosApp[], longLinks = false): Uint8Array | null {
  if (apps.length === 0) return null;
  const components = [...(longLinks ? [LONG_LINK] : []), ...NO_LINKS.map((path) => ({ '/': path, exclude: true })), { '/': '/*' }];
  const appIDs = apps.map((app) => `${app.team_id}.${app.bundle_id}`);
  return Buffer.from(JSON.stringify({ applinks: { details: [{ appIDs, components }] } }));
}

/** Returns null if the environment has no Android app. */
export function assetLinks(apps: readonly AndroidApp[]): Uint8Array | null {
  if (apps.length === 0) return null;
  const statements = apps.map((app) => ({
    relation: ['delegate_permission/common.handle_all_urls'],
    target: { namespace: 'android_app', package_name: app.package_name, sha256_cert_fingerprints: app.sha256_cert_fingerprints },
  }));
  return Buffer.from(JSON.stringify(statements));
}
