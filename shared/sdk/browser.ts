import { readBaseUrl } from './base-url.js';
import type { Camel } from './casing.js';
import { type ClientTransport, type Failure, type Outcome, post } from './client-http.js';
import type { components } from './client-types.js';
import { type Device, DeviceFacts } from './device.js';
import { type EventDetails, EventQueue } from './event-queue.js';
import { keepClick } from './landing-click.js';
import { faultOf, storageKeyOf } from './publishable-key.js';
import { type SharedStorage, sharedStorage } from './shared-storage.js';
import { defaultStorage, newInstallId, randomUuid, type Storage } from './surroundings.js';

/**
 * The SDK for browsers and React Native: links, what a URL that opened the app is about, where an installation came
 * from, and events. It never throws into the app: a call that fails returns null, and `onFailure` is called with the
 * reason.
 *
 * ```ts
 * const links = new LinkClient({ publishableKey: 'pk_live_...', baseUrl: 'https://api.example.com/v1' });
 * const { deepLinkPath, data } = (await links.open({ url: location.href })) ?? {};
 * await links.track('purchase', { value: 19.9, currency: 'EUR' });
 * ```
 */

type Schema<Name extends keyof components['schemas']> = Camel<components['schemas'][Name]>;

export type Link = Schema<'Link'>;
export type LinkDetails = Schema<'SdkLinkCreate'>;
export type Resolved = Schema<'SdkResolved'>;
export type OpenResult = Schema<'SdkOpenResult'>;

export interface LinkClientOptions {
  /** `pk_test_...` or `pk_live_...` */
  readonly publishableKey: string;
  /**
   * Publishable keys of the same environment that releases of the app have used before, the newest first. What is stored
   * with them is continued, so that an app with a new key is no new installation.
   */
  readonly earlierKeys?: readonly string[];
  /** Address of the API: `https://api.example.com/v1`. The version is added if it is missing. */
  readonly baseUrl: string;
  /** Where the installation's id and waiting events are stored: `localStorage` if absent. In React Native: AsyncStorage. */
  readonly storage?: Storage;
  /** The device: what the browser reveals about it if absent. In React Native: `reactNativeDevice(...)`. */
  readonly device?: Device;
  /** Timeout of one call, in milliseconds; 10,000 if absent. */
  readonly timeoutMs?: number;
  readonly onFailure?: (failure: Failure) => void;
  /** Used instead of the runtime's own. */
  readonly fetch?: ClientTransport['fetch'];
}

/** What opened the app, as far as the app knows. */
export interface OpenDetails {
  /** The URL that the system passed to the app. */
  readonly url?: string | null;
  /** What the Play Install Referrer library returns. */
  readonly playReferrer?: string | null;
  /** The text of the clipboard, if the person let the app read it. */
  readonly clipboard?: string | null;
}

const TIMEOUT_MS = 10_000;

/** What is stored about the installation. `opening` is a first open that has not been answered yet. */
interface Installation {
  readonly id: string;
  readonly opened: boolean;
  readonly opening: OpenDetails | null;
}

export class LinkClient {
  readonly #options: LinkClientOptions;
  /** Why nothing can be done; null if the client is configured correctly. */
  readonly #fault: string | null;
  readonly #transport: ClientTransport;
  readonly #device: DeviceFacts;
  readonly #storage: SharedStorage;
  readonly #storageKey: string;
  /** Where clients with the earlier keys have stored what this one has. */
  readonly #earlierStorageKeys: readonly string[];
  readonly #events: EventQueue;
  /** The click that has led to this page of the web, or to an earlier one. */
  readonly #click: Promise<string | null>;
  #installId: Promise<string> | undefined;
  /** The first open that this client has reported without an answer; null if there is none. */
  #unanswered: OpenDetails | null = null;

  constructor(options: LinkClientOptions) {
    this.#options = options ?? {};
    const { publishableKey, earlierKeys = [], baseUrl, timeoutMs = TIMEOUT_MS, storage = defaultStorage() } = this.#options;
    const address = readBaseUrl(baseUrl);
    this.#fault = faultOf(publishableKey, earlierKeys, timeoutMs) ?? (address.ok ? null : address.fault);
    this.#transport = {
      // An invalid key, above all a secret one, is neither stored nor sent.
      publishableKey: this.#fault === null ? publishableKey : '',
      baseUrl: address.ok ? address.baseUrl : '',
      timeoutMs,
      fetch: this.#options.fetch ?? ((url, init) => fetch(url, init)),
    };
    // Without `onFailure`, nobody would learn of it.
    if (this.#fault !== null && this.#options.onFailure === undefined) console.error(`LinkClient: ${this.#fault}`);
    this.#device = new DeviceFacts(this.#options.device);
    this.#storage = sharedStorage(storage);
    // Each environment or project on one page has an installation of its own.
    this.#storageKey = storageKeyOf(this.#transport.publishableKey);
    this.#earlierStorageKeys = this.#fault === null ? earlierKeys.map(storageKeyOf).filter((key) => key !== this.#storageKey) : [];
    const namesOf = (what: string) => [this.#storageKey, ...this.#earlierStorageKeys].map((key) => `${key}:${what}`);
    this.#events = new EventQueue({
      transport: this.#transport,
      storage: this.#storage,
      storageKeys: namesOf('events'),
      report: (failure) => this.#report(failure),
      opensEnded: () => this.#afterOpens(() => this.#repeatFirstOpen()),
      now: Date.now,
    });
    this.#click = this.#fault === null ? keepClick(this.#storage, namesOf('click')) : Promise.resolve(null);
    void this.flush();
  }

  /** Creates a link that leads to the environment's default destinations. */
  createLink(details: LinkDetails = {}): Promise<Link | null> {
    return this.#safely('links', () => this.#answer<components['schemas']['Link']>(post(this.#transport, 'links', details, randomUuid())));
  }

  /** Returns what the app should show for a URL; null if it belongs to no link. Counts nothing: `open` does. */
  resolve(url: string): Promise<Resolved | null> {
    return this.#safely('resolve', () =>
      this.#answer<components['schemas']['SdkResolved']>(post(this.#transport, 'resolve', { url }, randomUuid())),
    );
  }

  /**
   * Reports that the app was opened. The first open of an installation is detected, and is matched to the click that
   * led to it. If a first open does not get through, the next call reports it again, with what it knew.
   */
  open(details: OpenDetails = {}): Promise<OpenResult | null> {
    // One after the other: there is one first open, however many parts of an app report it.
    return this.#safely('opens', () => this.#afterOpens(() => this.#open(details)));
  }

  /** Runs the work after all opens that were reported before, also by other clients of the installation. */
  #afterOpens<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#storage.alone(`${this.#storageKey}:opens`, work);
  }

  /**
   * Stores the event and sends it, now or when there is a network again. Resolves once it is stored. On a site, the
   * event belongs to the click that `click_id` in the page's address has named, for 30 days, unless `clickId` names
   * another. A visit of a site is not an open of an app, so `open` is only for apps.
   */
  async track(name: string, details: EventDetails = {}): Promise<void> {
    await this.#safely('events', async () => {
      const installId = await this.#readId();
      const clickId = details?.clickId ?? (await this.#click);
      await this.#events.add({ ...details, name, clickId, installId, occurredAt: new Date().toISOString() });
      void this.flush();
      return null;
    });
  }

  /** Sends what waits now. Resolves when an attempt was made. */
  async flush(): Promise<void> {
    await this.#safely('events', async () => {
      await this.#events.flush();
      return null;
    });
  }

  /** Returns the id of the installation, which is created by the first call of any method, and kept. */
  async installId(): Promise<string | null> {
    return this.#safely('storage', () => this.#readId());
  }

  async #open(details: OpenDetails): Promise<OpenResult | null> {
    const installation = await this.#read();
    const first = !installation.opened;
    const known = first ? { ...installation.opening, ...given(details) } : given(details);
    if (first) await this.#write({ ...installation, opening: known });
    const outcome = await this.#postOpen(installation.id, first, known);
    this.#unanswered = first && outcome.kind === 'later' ? known : null;
    if (first && outcome.kind === 'answer') await this.#write({ id: installation.id, opened: true, opening: null });
    // What the service refuses now it will refuse later too, so the next call is made without it.
    if (first && outcome.kind === 'refused' && isUnfit(outcome.failure.status)) await this.#write({ ...installation, opening: null });
    return this.#answer(Promise.resolve(outcome));
  }

  /**
   * Reports the first open again if there was no answer to it, because events count for what the installation came from. It is still
   * stored as not reported, so that the next `open` gets the same answer.
   */
  async #repeatFirstOpen(): Promise<void> {
    const known = this.#unanswered;
    if (known === null) return;
    const { id, opened } = await this.#read();
    const outcome = opened ? null : await this.#postOpen(id, true, known);
    if (outcome?.kind !== 'later') this.#unanswered = null;
  }

  async #postOpen(installId: string, firstOpen: boolean, details: OpenDetails): Promise<Outcome<components['schemas']['SdkOpenResult']>> {
    const { url = null, playReferrer = null, clipboard = null } = details;
    const body = { installId, firstOpen, openedUrl: url, playReferrer, clipboard, device: this.#device.read() };
    const outcome = await post<components['schemas']['SdkOpenResult']>(this.#transport, 'opens', body, randomUuid());
    const isFewer = outcome.kind === 'refused' && this.#device.leaveOut(outcome.failure);
    return isFewer ? this.#postOpen(installId, firstOpen, details) : outcome;
  }

  #readId(): Promise<string> {
    this.#installId ??= this.#read().then(({ id }) => id);
    return this.#installId;
  }

  /** Returns what is stored now, because another client may have written it. */
  #read(): Promise<Installation> {
    return this.#storage.alone(this.#storageKey, async () => {
      const stored = await this.#stored(this.#storageKey);
      if (stored !== null) return stored;
      const found = await this.#storedEarlier();
      const installation = found ?? { id: newInstallId(Date.now()), opened: false, opening: null };
      await this.#write(installation);
      return installation;
    });
  }

  async #stored(storageKey: string): Promise<Installation | null> {
    return parse((await this.#storage.getItem(storageKey)) ?? '');
  }

  async #storedEarlier(): Promise<Installation | null> {
    for (const storageKey of this.#earlierStorageKeys) {
      const stored = await this.#stored(storageKey);
      if (stored !== null) return stored;
    }
    return null;
  }

  async #write(installation: Installation): Promise<void> {
    await this.#storage.setItem(this.#storageKey, JSON.stringify(installation));
  }

  async #answer<Answer>(outcome: Promise<Outcome<Answer>>): Promise<Camel<Answer> | null> {
    const settled = await outcome;
    if (settled.kind === 'answer') return settled.answer;
    this.#report(settled.failure);
    return null;
  }

  async #safely<Value>(operation: string, work: () => Promise<Value | null>): Promise<Value | null> {
    try {
      if (this.#fault !== null) throw new Error(this.#fault);
      return await work();
    } catch (cause) {
      this.#report({ operation, status: 0, problem: null, cause });
      return null;
    }
  }

  #report(failure: Failure): void {
    try {
      this.#options.onFailure?.(failure);
    } catch {
      // The app's own listener failed, so there is nobody left to report to.
    }
  }
}

/** A longer text of a clipboard contains no token, and the service refuses it (`clipboard` of `SdkOpen`). */
const CLIPBOARD_CHARACTERS_MAX = 4096;

function given(details: OpenDetails): OpenDetails {
  const isGiven = ([name, value]: readonly [string, unknown]) =>
    typeof value === 'string' && value !== '' && (name !== 'clipboard' || value.length <= CLIPBOARD_CHARACTERS_MAX);
  return Object.fromEntries(Object.entries(details ?? {}).filter(isGiven));
}

/** Whether the body of the call was refused. */
function isUnfit(status: number): boolean {
  return status === 400 || status === 413 || status === 422;
}

/** What `newInstallId` makes. The service would refuse every call with an id that is empty or too long. */
const INSTALL_ID = /^ins_[0-9a-z]{26}$/;

function parse(text: string): Installation | null {
  try {
    const value: unknown = JSON.parse(text);
    const isOurs =
      typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' && INSTALL_ID.test(value.id);
    return isOurs ? (value as Installation) : null;
  } catch {
    return null;
  }
}

export type { Failure } from './client-http.js';
export { browserDevice, type Device, type ReactNativeParts, reactNativeDevice } from './device.js';
export type { EventDetails } from './event-queue.js';
export type { Storage } from './surroundings.js';
