import { isPreviewBot, isProgram } from './bots.js';

export const PLATFORMS = ['ios', 'android', 'desktop', 'other'] as const;
export type Platform = (typeof PLATFORMS)[number];

const IN_APP_BROWSERS = ['facebook', 'instagram', 'tiktok', 'x', 'linkedin', 'snapchat', 'line', 'wechat', 'pinterest', 'webview'] as const;
export type InAppBrowser = (typeof IN_APP_BROWSERS)[number];

/** What a user agent says. All values have one shape, because thousands of them are kept and read on every visit. */
export interface Visitor {
  readonly platform: Platform;
  /** Dotted numbers such as `17.5.1`; '' if the user agent names none, or a number that its maker has frozen. */
  readonly os_version: string;
  /** The app whose in-app browser this is; '' for a standalone browser. */
  readonly in_app_browser: InAppBrowser | '';
  /** Whether the visitor gets a card instead of a redirect. */
  readonly preview_bot: boolean;
  readonly bot_reason: VisitorBotReason | '';
}

/** Why a visitor is considered a program: it is on the list of bots, or it did not send the `User-Agent` that every browser sends. */
export type VisitorBotReason = 'isbot' | 'no_user_agent';

/** A visitor about whom nothing is known. */
export const UNKNOWN_VISITOR: Visitor = { platform: 'other', os_version: '', in_app_browser: '', preview_bot: false, bot_reason: '' };

/** What `Sec-CH-UA-Platform` can add: only these two override a user agent. */
export type PlatformHint = 'ios' | 'android' | '';

/**
 * Returns what a user agent says. The caller bounds its length to `USER_AGENT_CHARACTERS_MAX`: the rules are linear,
 * and it is the only unbounded input. Takes tens of microseconds; engines cache the result by user agent.
 */
export function recogniseVisitor(userAgent: string): Visitor {
  const platform = platformOf(userAgent);
  const preview_bot = isPreviewBot(userAgent);
  return {
    platform,
    os_version: osVersionOf(userAgent, platform),
    in_app_browser: inAppBrowserOf(userAgent),
    preview_bot,
    bot_reason: botReasonOf(userAgent, preview_bot),
  };
}

function botReasonOf(userAgent: string, isPreviewBot: boolean): VisitorBotReason | '' {
  if (userAgent === '') return 'no_user_agent';
  return isPreviewBot || isProgram(userAgent) ? 'isbot' : '';
}

/**
 * Applies client hints to a visitor. A tablet in desktop mode sends a desktop user agent; the client hint, if the
 * browser sends it, still names the system. The version in that user agent is that of the desktop it imitates, so only
 * a hint has the system's own version. On Android the hint is the version that Chrome has left out of its user agent
 * since it was reduced. `version` is '' if the hint was not sent (https://wicg.github.io/ua-client-hints/).
 */
export function withClientHints(visitor: Visitor, platform: PlatformHint, version: string): Visitor {
  if (platform === '') return visitor;
  const pretends = visitor.platform === 'desktop';
  if (!pretends && (visitor.platform !== platform || version === '')) return visitor;
  return {
    platform,
    os_version: version,
    in_app_browser: visitor.in_app_browser,
    preview_bot: visitor.preview_bot,
    bot_reason: visitor.bot_reason,
  };
}

/** Parses the header's value, a quoted string (RFC 9651): `"iOS"`, `"Android"`; '' for every other system. */
export function parsePlatformHint(header: string): PlatformHint {
  if (header === '"iOS"' || header === '"iPadOS"') return 'ios';
  return header === '"Android"' ? 'android' : '';
}

/**
 * Parses the value of `Sec-CH-UA-Platform-Version` and spells it as user agents do: `14` for `"14.0.0"`. '' if there is
 * no version or the value is not one.
 */
export function parsePlatformVersion(header: string): string {
  const version = /^"(\d{1,6}(?:\.\d{1,6}){0,3})"$/.exec(header)?.[1]?.replace(/(?:\.0+)+$/, '') ?? '';
  return version === '0' ? '' : version;
}

const IOS_DEVICE = /\b(?:iphone|ipad|ipod)\b/i;

/**
 * iPadOS calls itself a Macintosh. In Safari a server cannot tell the two apart, but an app's browser and every other
 * browser on iPadOS leaves a token that no program on a Mac sends: `Mobile/15E148`, `CriOS`, `FxiOS`, `EdgiOS`, `GSA`.
 */
const IOS_TOKEN_ON_MAC = /\bmobile\/\d\w+|\b(?:crios|fxios|edgios|gsa)\//i;
/** Samsung's browser in desktop mode calls itself a Linux desktop, but it does not run on one. */
const ANDROID_TOKEN_ON_X11 = /\bx11;.*\bsamsungbrowser\//i;
const DESKTOP = /windows nt|macintosh|\bx11\b|\bcros\b|\blinux (?:x86_64|i686|aarch64|riscv64)\b/i;

function platformOf(userAgent: string): Platform {
  // Windows Phone names both Android and iPhone, but it is neither.
  if (/windows phone|\bappletv\b|apple tv/i.test(userAgent)) return 'other';
  if (/\bandroid\b/i.test(userAgent)) return 'android';
  if (IOS_DEVICE.test(userAgent)) return 'ios';
  if (/macintosh/i.test(userAgent) && IOS_TOKEN_ON_MAC.test(userAgent)) return 'ios';
  if (ANDROID_TOKEN_ON_X11.test(userAgent)) return 'android';
  return DESKTOP.test(userAgent) ? 'desktop' : 'other';
}

const NUMBERS = '(\\d{1,6}(?:[._]\\d{1,6}){0,3})';
const IOS_OS = new RegExp(`\\bOS ${NUMBERS} like Mac OS X`);
/** Facebook's `FBSV/17.5` and Instagram's `iOS 17_5` come from the system itself. */
const IOS_OF_APP = new RegExp(`\\bFBSV/${NUMBERS}|; iOS ${NUMBERS}[;)]`);
const SAFARI_VERSION = new RegExp(`\\bVersion/${NUMBERS} Mobile/`);
const ANDROID_OS = new RegExp(`\\bAndroid ${NUMBERS}`);
const DESKTOP_OS = new RegExp(`Windows NT ${NUMBERS}|Mac OS X ${NUMBERS}|CrOS \\S+ ${NUMBERS}`);

function osVersionOf(userAgent: string, platform: Platform): string {
  if (platform === 'ios') return iosVersionOf(userAgent);
  // Chrome has sent `Android 10; K` for every version and model since its user agent was reduced, and so do web views of newer systems.
  if (platform === 'android') return /\bAndroid 10; K[;)]/.test(userAgent) ? '' : firstGroup(ANDROID_OS, userAgent);
  // Every browser on macOS has reported 10.15.7 since macOS 11.
  if (platform === 'desktop') return /Mac OS X 10[._]15[._]7\b/.test(userAgent) ? '' : firstGroup(DESKTOP_OS, userAgent);
  return '';
}

/**
 * From iOS 26 on, the number after `OS` stays at 18.6 or 18.7. Safari's own version is the system's then. An app's web view, which does not
 * name Safari, and Firefox have no other number, so that their system is not known, unless they name a build, which is 22 for iOS 18.
 */
const FROZEN_IOS = /\bOS 18_[67] like Mac OS X(?!.*\bMobile\/22[A-Z])(?:.*\bFxiOS\/|(?!.*\bSafari\/))/;

function iosVersionOf(userAgent: string): string {
  const told = firstGroup(IOS_OF_APP, userAgent);
  if (told !== '') return told;
  if (FROZEN_IOS.test(userAgent)) return '';
  const system = firstGroup(IOS_OS, userAgent);
  const safari = firstGroup(SAFARI_VERSION, userAgent);
  return system.startsWith('18.') && Number.parseInt(safari, 10) >= 26 ? safari : system;
}

function firstGroup(pattern: RegExp, text: string): string {
  const found = pattern.exec(text);
  if (found === null) return '';
  for (let index = 1; index < found.length; index++) {
    const group = found[index];
    if (group !== undefined) return group.replaceAll('_', '.');
  }
  return '';
}

/** In order: an app's own name comes before the mark that every Android WebView carries. */
const IN_APP_SIGNS: readonly (readonly [InAppBrowser, RegExp])[] = [
  ['instagram', /\binstagram\b/i],
  ['facebook', /\bFBA[NV]\/|\bFB_IAB\/|\bFBIOS\b|\bMetaIAB Facebook\b/],
  ['tiktok', /\bmusical_ly|\btiktok\b|\btrill_|bytedancewebview|\bbytelocale\//i],
  ['x', /\btwitter for (?:iphone|ipad)|\btwitterandroid\b/i],
  ['linkedin', /\blinkedinapp\b/i],
  ['snapchat', /\bsnapchat\b/i],
  ['wechat', /\bmicromessenger\//i],
  ['line', /\bline\/\d/i],
  ['pinterest', /\bpinterest\/(?:ios|android)\b|\bpinterest for /i],
  ['webview', /\bAndroid\b.*; wv\)/],
];

function inAppBrowserOf(userAgent: string): InAppBrowser | '' {
  for (const [name, sign] of IN_APP_SIGNS) if (sign.test(userAgent)) return name;
  return '';
}
