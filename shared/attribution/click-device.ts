import { splitClickId } from '../resolve/click-id.js';
import { CLICK_DEVICE_PATH } from '../resolve/link-addresses.js';
import { parsePlatformVersion, type Visitor } from '../resolve/recognise-visitor.js';
import type { AppPlatform } from './match-key.js';

/**
 * What a page reports about the device behind its click, if the request of the click did not say it:
 *
 * - Chrome on Android leaves version and model out of its user agent, and names the version in a header only to a site
 *   that has asked before. A script may ask for both at once (`navigator.userAgentData`).
 * - Safari on an iPad calls itself a Mac. No Mac has a touch screen, which a script sees (`navigator.maxTouchPoints`).
 */
export interface ClickDevice {
  readonly platform: AppPlatform;
  /** Dotted numbers. */
  readonly os_version: string;
  /** '' if it is not known. */
  readonly model: string;
}

/** The id of a click, a version and a model take half of it, including escapes. */
const QUERY_CHARACTERS_MAX = 512;
const MODEL_CHARACTERS_MAX = 64;
/** Minimum number of touch points of a touch screen: a mouse has one as well. */
const TOUCH_POINTS_MIN = 2;

/** Whether the page of this visitor's click may find out more about the device. */
export function mayTellDevice({ platform, os_version }: Visitor): boolean {
  return platform === 'android' && os_version === '';
}

/** Whether the user agent may be that of an iPad, whose Safari calls itself a Mac. Cheap. */
export function mayBeTablet(visitor: Visitor, userAgent: string): boolean {
  return visitor.platform === 'desktop' && userAgent.includes('Macintosh;') && userAgent.includes(' Version/');
}

/**
 * Returns the URL to which the page of a click reports it. The page's script adds to the query. `clickId` is '' in the
 * answer to HEAD, which is not a click.
 */
export function clickDeviceUrl(clickId: string): string {
  return `${CLICK_DEVICE_PATH}?click_id=${clickId}`;
}

/** A report whose click id has not been checked yet. */
export interface ReportedDevice {
  readonly clickId: string;
  readonly device: ClickDevice;
}

/**
 * Reads the query of a page's report. `visitor` is what the request's own user agent says: a report can add to it and
 * never contradicts it. Null for every report that says nothing new, and for what none of our pages sends.
 */
export function readClickDevice(query: string, visitor: Visitor, userAgent: string): ReportedDevice | null {
  if (query.length > QUERY_CHARACTERS_MAX || visitor.bot_reason !== '') return null;
  const { clickId, query: rest } = splitClickId(query);
  if (clickId === '') return null;
  const told = new URLSearchParams(rest);
  const device = mayTellDevice(visitor) ? androidOf(told) : mayBeTablet(visitor, userAgent) ? tabletOf(told, userAgent) : null;
  return device === null ? null : { clickId, device };
}

function androidOf(told: URLSearchParams): ClickDevice | null {
  const os_version = parsePlatformVersion(`"${told.get('version') ?? ''}"`);
  return os_version === '' ? null : { platform: 'android', os_version, model: modelOf(told.get('model') ?? '') };
}

/** Chrome says `K` if it does not want to reveal the model, as in its user agent. */
function modelOf(text: string): string {
  const model = text.trim();
  return model.length <= MODEL_CHARACTERS_MAX && /^[\x20-\x7e]+$/.test(model) && model !== 'K' ? model : '';
}

/** The version of Safari is that of the system it comes with. */
const SAFARI_VERSION = /\bVersion\/(\d{1,6}(?:\.\d{1,6}){0,3}) Safari\//;

function tabletOf(told: URLSearchParams, userAgent: string): ClickDevice | null {
  const touchPoints = told.get('touch') ?? '';
  const os_version = SAFARI_VERSION.exec(userAgent)?.[1] ?? '';
  if (!/^\d{1,3}$/.test(touchPoints) || Number(touchPoints) < TOUCH_POINTS_MIN || os_version === '') return null;
  return { platform: 'ios', os_version, model: '' };
}
