import type { AndroidApp, EnvironmentRecord } from '../../shared/feed/records.js';
import { appLinks } from '../../shared/metadata/card.js';
import type { CardContext } from '../../shared/metadata/card-html.js';
import { CLICK_ID_PARAMETER } from '../../shared/resolve/click-id.js';
import { chooseDestination } from '../../shared/resolve/destination.js';
import { isWebUrl } from '../../shared/resolve/destination-safety.js';
import { withPlayReferrer } from '../../shared/resolve/play-referrer.js';
import { escapePiece } from '../../shared/resolve/query.js';
import type { Decision } from '../route/decide.js';
import type { Facts } from './facts.js';
import type { OpenPage } from './pages/open-page.js';

/** The destination, which a Play Store visit tells the click. */
export function redirectUrl(decision: Decision, clickId: string): string {
  return decision.destination_kind === 'play_store' && clickId !== ''
    ? withPlayReferrer(decision.destination, clickId)
    : decision.destination;
}

/** The link itself, with what it passes on. */
export function linkUrl(decision: Decision, query: string): string {
  const url = `${decision.entry.environment.link_origin}/${decision.path}`;
  return query === '' ? url : `${url}?${escapeQuery(query)}`;
}

/** The same path on the open host, which is told the click. `clickId` is '' for a request that is no click. */
export function openUrl(decision: Decision, clickId: string): string {
  const url = `${decision.entry.environment.open_origin}/${decision.path}`;
  const query = escapeQuery(decision.query);
  if (clickId === '') return query === '' ? url : `${url}?${query}`;
  return `${url}?${CLICK_ID_PARAMETER}=${clickId}${query === '' ? '' : `&${query}`}`;
}

function escapeQuery(query: string): string {
  return query === '' ? '' : query.split('&').map(escapePiece).join('&');
}

/** The page on the open host, and the page on the link host for a destination that a browser cannot be redirected to. */
export function openPageOf(facts: Facts, decision: Decision, clickId: string): OpenPage {
  const { record } = decision.entry.environment;
  const android = decision.visitor.platform === 'android';
  const store_url = storeUrl(decision, record, clickId);
  const link = linkUrl(decision, decision.query);
  const custom = decision.destination_kind === 'custom_scheme';
  const intent = android ? intentUrl(custom ? decision.destination : link, packageOf(store_url, record.android_apps), store_url) : '';
  const firefox = /firefox\/|fxios\//i.test(facts.user_agent);
  const in_app = decision.visitor.in_app_browser !== '';
  const plain = custom ? decision.destination : link;
  return {
    project_name: record.project_name,
    open_url: intent !== '' && !firefox ? intent : plain,
    store_url,
    attempt_url: firefox || in_app ? '' : intent,
    in_app,
  };
}

/** The destination where it is a store; else the store page of the environment's app for the platform. */
function storeUrl(decision: Decision, record: EnvironmentRecord, clickId: string): string {
  const kind = decision.destination_kind;
  const own = kind === 'app_store' || kind === 'play_store' ? decision.destination : appStoreUrl(decision, record);
  const play = kind === 'play_store' || (kind === 'custom_scheme' && decision.visitor.platform === 'android');
  return own !== '' && play && clickId !== '' ? withPlayReferrer(own, clickId) : own;
}

function appStoreUrl(decision: Decision, record: EnvironmentRecord): string {
  const apps =
    decision.visitor.platform === 'android' ? record.android_apps.map(playStoreUrl) : record.ios_apps.map((app) => app.app_store_url);
  const url = apps.find((candidate) => candidate !== null && isWebUrl(candidate));
  return url ?? '';
}

function playStoreUrl(app: AndroidApp): string | null {
  return app.play_store_url;
}

/** The package a store page is about, else the environment's first app. */
function packageOf(storeUrl: string, apps: readonly AndroidApp[]): string {
  const named = /[?&]id=([A-Za-z0-9._]+)/.exec(storeUrl)?.[1];
  return named ?? apps[0]?.package_name ?? '';
}

/**
 * Chrome's way to open an app from a page, with where to go without it
 * (https://developer.chrome.com/docs/android/intents). The intent's own fields follow `#`, so the URL's fragment goes.
 */
function intentUrl(url: string, packageName: string, fallbackUrl: string): string {
  const parts = /^([a-z][a-z0-9+.-]*):(?:\/\/)?([^#]*)/i.exec(url);
  if (parts === null) return '';
  const target = packageName === '' ? '' : `package=${packageName};`;
  const fallback = isWebUrl(fallbackUrl) ? `S.browser_fallback_url=${encodeURIComponent(fallbackUrl)};` : '';
  return `intent://${parts[2]}#Intent;scheme=${parts[1]};${target}${fallback}end`;
}

/** What surrounds the card of the link or item. */
export function cardContext(decision: Decision): CardContext {
  const { record } = decision.entry.environment;
  return {
    site_name: record.project_name,
    shared_url: linkUrl(decision, ''),
    onward_url: onwardUrl(decision),
    apps: appLinks(record.ios_apps, record.android_apps, decision.subject?.deep_link_path ?? '/'),
  };
}

/** A card names no platform, so it leads on to what a browser can show. */
function onwardUrl(decision: Decision): string {
  if (isWebUrl(decision.destination)) return decision.destination;
  const { subject, entry } = decision;
  const choice = subject === null ? null : chooseDestination('other', subject, entry.environment.record.default_destinations);
  return choice === null ? '' : choice.url;
}
