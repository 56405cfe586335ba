import type { Camel } from './casing.js';
import type { Failure } from './client-http.js';
import type { components } from './client-types.js';
import { surroundings } from './surroundings.js';

/** What the service may know about a device in order to match a first open. None of it identifies a person. */
export type Device = Camel<components['schemas']['SdkOpen']['device']>;

/** The parts of `react-native` that reveal it: `reactNativeDevice({ Platform, Dimensions, PixelRatio })`. */
export interface ReactNativeParts {
  readonly Platform: {
    readonly OS: string;
    readonly Version: string | number;
    readonly constants?: { readonly Release?: string; readonly Model?: string };
  };
  readonly Dimensions?: { get(name: 'screen'): { readonly width: number; readonly height: number } };
  readonly PixelRatio?: { get(): number };
}

export function reactNativeDevice({ Platform, Dimensions, PixelRatio }: ReactNativeParts): Device {
  const { OS, Version, constants } = Platform;
  const screen = Dimensions?.get('screen');
  return {
    os: OS === 'ios' || OS === 'android' ? OS : 'other',
    // On Android `Version` is the level of the API, which no browser reveals.
    osVersion: (OS === 'ios' ? String(Version) : constants?.Release) || null,
    model: constants?.Model || null,
    screen: screen === undefined ? null : pixels(screen, PixelRatio?.get() ?? 1),
    ...places(),
  };
}

/**
 * Chrome and web views report 10 for every Android. From iOS 26 on, web views report 18.6 or 18.7 for every iOS; they do not name Safari, and
 * only some name a build, which is 22 for iOS 18.
 */
const FROZEN = /Android 10; K[;)]|\bOS 18_[67] like Mac OS X(?!.*(?:\bSafari\/|\bMobile\/22[A-Z]))/;

/** Returns what a browser reveals. */
export function browserDevice(): Device {
  const { navigator = {}, screen, devicePixelRatio } = surroundings;
  const userAgent = navigator.userAgent ?? '';
  const ios = /\b(?:iPhone|iPad|iPod)\b/.test(userAgent) || (/Macintosh/.test(userAgent) && (navigator.maxTouchPoints ?? 0) > 1);
  const android = /\bAndroid\b/.test(userAgent);
  const version = /\b(?:OS|Android) (\d+(?:[._]\d+)*)/.exec(userAgent)?.[1]?.replace(/_/g, '.') ?? null;
  // From iOS 26 on, Safari's own version is the system's; what follows "OS" stays at 18.
  const safari = /\bVersion\/(\d+(?:\.\d+)*)/.exec(userAgent)?.[1];
  const current = ios && safari !== undefined && Number.parseInt(safari, 10) >= 26 ? safari : version;
  return {
    os: ios ? 'ios' : android ? 'android' : 'other',
    osVersion: FROZEN.test(userAgent) ? null : current,
    screen: screen === undefined ? null : pixels(screen, devicePixelRatio ?? 1),
    ...places(),
  };
}

/** The facts about the device, without those that the service has refused: it would refuse every open with them. */
export class DeviceFacts {
  readonly #given: Device | undefined;
  readonly #refused = new Set<string>();

  /** Without a given device, it is what the browser reveals. */
  constructor(given: Device | undefined) {
    this.#given = given;
  }

  read(): object {
    return Object.fromEntries(Object.entries(this.#given ?? browserDevice()).filter(([name]) => !this.#refused.has(name)));
  }

  /** Leaves out the facts that were refused, if nothing else was. Returns whether there are fewer than before. */
  leaveOut({ problem }: Failure): boolean {
    const before = this.#refused.size;
    const pointers = (problem?.errors ?? []).map(({ pointer }) => pointer.split('/'));
    if (pointers.every(([, part, name]) => part === 'device' && name)) for (const [, , name] of pointers) this.#refused.add(name as string);
    return this.#refused.size > before;
  }
}

function places(): Pick<Device, 'language' | 'timezone'> {
  const language = surroundings.navigator?.language || null;
  // An engine for small devices may come without Intl.
  if (typeof Intl === 'undefined') return { language, timezone: null };
  const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { language: language ?? locale, timezone: timeZone || null };
}

function pixels({ width, height }: { readonly width: number; readonly height: number }, ratio: number): string {
  return `${Math.round(width * ratio)}x${Math.round(height * ratio)}`;
}
