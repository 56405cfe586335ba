import { byShare, Random } from './random.js';
import type { Place, World } from './world.js';

/**
 * What people do with an app's links in a month: follow them and install, follow them and do not, install without one.
 * The figures are assumptions, each given here with its reason. The simulation shows how the rules do under them.
 */
export interface Habits {
  readonly installs: number;
  readonly days: number;
  /** The share of all installs that a link led to; the others come from search, charts and advertisements. */
  readonly linkShare: number;
  /** Clicks by people who do not install, for each install by a link. */
  readonly idleClicks: number;
  /** Whether pages report the devices behind their clicks; false simulates the service without that. */
  readonly pagesTell: boolean;
}

export const HABITS: Habits = { installs: 1_000_000, days: 30, linkShare: 0.6, idleClicks: 3, pagesTell: true };

/** A link that is passed on is followed within minutes by some people behind the same address. */
const PASSED_ON = 0.1;
const PASSED_ON_TO_MAX = 5;
/** People who come back to the link before they install. */
const SECOND_LOOK = 0.08;
/** The time from the click to the first open: the store, its download, and above all hesitation. */
const MEDIAN_MINUTES_TO_OPEN = 4;
const SPREAD_OF_MINUTES = 1.6;
/** People whose phone changed its network in the meantime: they left the house, or the download waited for a WLAN. */
const CHANGED_NETWORK = 0.12;
/** Browsers of apps reveal language and model, and on iOS 26 still call the system 18.6. */
const IN_APP = 0.4;
const FROZEN_VERSION = 0.1;
/** Safari through iCloud Private Relay, which the app's own requests do not use. */
const PRIVATE_RELAY = 0.06;
/** Chrome on Android names neither version nor model; the browsers of apps and Firefox do. */
const ANDROID_NAMED = 0.3;
/** Pages whose script ran and whose report arrived from the network of the click. */
const PAGE_TOLD = 0.95;
/** Links without a destination for a desktop: only there does an iPad that calls itself a Mac see a page. */
const APP_ONLY_LINKS = 0.3;
/** Installs for which the Play Store passes no referrer: other stores, copied packages. */
const NO_REFERRER = 0.04;
/** Apps that ask for the clipboard, and people who allow it. */
const CLIPBOARD = 0.08;
/** People who come back to the page and tap its button, so that the first open has a URL. */
const TAPPED_AGAIN = 0.05;

/** The browsers whose requests do not name the system's version, and all others. */
export const BROWSERS = ['Chrome on Android', 'Safari on an iPad', 'another'] as const;
export type Browser = (typeof BROWSERS)[number];

export interface ClickStep {
  readonly kind: 'click';
  readonly atMs: number;
  readonly person: number;
  readonly place: Place;
  /** The system as the browser names it, or as the page reported it afterwards; null if neither did. */
  readonly version: string | null;
  readonly browser: Browser;
  /** Whether the page reported it. */
  readonly told: boolean;
  readonly inApp: boolean;
  readonly relay: boolean;
  /** The link that was followed. A person who passes a link on passes on this one. */
  readonly link: number;
  /** The journey that learns of the click, and may name it when the app is opened. */
  readonly journey: Journey | null;
}

export interface OpenStep {
  readonly kind: 'open';
  readonly atMs: number;
  readonly person: number;
  readonly place: Place;
  readonly journey: Journey | null;
}

export type Step = ClickStep | OpenStep;

/** An install by a link. */
export interface Journey {
  readonly names: 'opened_url' | 'play_referrer' | 'clipboard' | 'nothing';
  /** Id of the newest click. */
  clickId: string;
  /** The link that was followed. */
  link: number;
  /** The browser of the last visit. */
  browser: Browser;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** People follow links by day and in the evening: the weights of two hours each. */
const SLOTS = [2, 1, 1, 3, 6, 8, 10, 10, 10, 11, 12, 6].map((weight, slot) => [slot, weight] as const);

export class Journeys {
  readonly #world: World;
  readonly #habits: Habits;
  readonly #random: Random;
  #links = 0;
  /** Opens that fall on a later day. */
  #later: OpenStep[] = [];

  constructor(world: World, habits: Habits, seed: number) {
    this.#world = world;
    this.#habits = habits;
    this.#random = new Random(seed);
  }

  /** All steps of a day, in their order. */
  day(day: number): readonly Step[] {
    const { installs, days, linkShare, idleClicks } = this.#habits;
    const steps: Step[] = this.#later.filter(({ atMs }) => atMs < (day + 1) * DAY_MS);
    this.#later = this.#later.filter(({ atMs }) => atMs >= (day + 1) * DAY_MS);
    const byLink = Math.round((installs * linkShare) / days);
    const organic = Math.round((installs * (1 - linkShare)) / days);
    for (let index = 0; index < byLink; index++) this.#install(steps, this.#somebody(), this.#timeOf(day));
    for (let index = 0; index < byLink * idleClicks; index++) this.#look(steps, this.#somebody(), this.#timeOf(day));
    for (let index = 0; index < organic; index++) this.#open(steps, this.#somebody(), this.#timeOf(day), null);
    const end = (day + 1) * DAY_MS;
    this.#later.push(...steps.filter((step): step is OpenStep => step.kind === 'open' && step.atMs >= end));
    return steps.filter(({ atMs }) => atMs < end).sort((one, other) => one.atMs - other.atMs);
  }

  #somebody(): number {
    return this.#random.below(this.#world.people);
  }

  #timeOf(day: number): number {
    const slot = byShare(SLOTS, this.#random.number());
    return day * DAY_MS + (slot + this.#random.number()) * 2 * 60 * MINUTE_MS;
  }

  #place(person: number, atMs: number): Place {
    return this.#world.placeAt(person, atMs, this.#random.number());
  }

  #install(steps: Step[], person: number, atMs: number): void {
    const place = this.#place(person, atMs);
    const journey: Journey = { names: this.#names(person), clickId: '', link: -1, browser: 'another' };
    const link = this.#links++;
    if (this.#random.chance(SECOND_LOOK))
      this.#click(steps, { person, place, atMs: atMs - this.#random.number() * 60 * MINUTE_MS, journey, link });
    this.#click(steps, { person, place, atMs, journey, link });
    const openMs = atMs + this.#random.logNormal(MEDIAN_MINUTES_TO_OPEN, SPREAD_OF_MINUTES) * MINUTE_MS + 10_000;
    this.#open(steps, person, openMs, journey, this.#random.chance(CHANGED_NETWORK) ? undefined : place);
    if (this.#random.chance(PASSED_ON)) this.#passOn(steps, { person, place, atMs, link });
  }

  #names(person: number): Journey['names'] {
    if (this.#random.chance(TAPPED_AGAIN)) return 'opened_url';
    if (this.#world.phone(person).platform === 'android') return this.#random.chance(NO_REFERRER) ? 'nothing' : 'play_referrer';
    return this.#random.chance(CLIPBOARD) ? 'clipboard' : 'nothing';
  }

  /** A click that leads to no install. */
  #look(steps: Step[], person: number, atMs: number): void {
    const place = this.#place(person, atMs);
    const link = this.#links++;
    this.#click(steps, { person, place, atMs, journey: null, link });
    if (this.#random.chance(PASSED_ON)) this.#passOn(steps, { person, place, atMs, link });
  }

  /** A quarter of the people to whom it is passed on install the app, as of those who find the link by themselves. */
  #passOn(steps: Step[], { person, place, atMs, link }: Pick<ClickStep, 'person' | 'place' | 'atMs' | 'link'>): void {
    const others = 1 + this.#random.below(PASSED_ON_TO_MAX);
    for (let step = 1; step <= others; step++) {
      const other = this.#world.neighbour(person, place, step);
      if (other === person) continue;
      const followedMs = atMs + this.#random.number() * 10 * MINUTE_MS;
      const journey: Journey | null = this.#random.chance(1 / (1 + this.#habits.idleClicks))
        ? { names: this.#names(other), clickId: '', link: -1, browser: 'another' }
        : null;
      this.#click(steps, { person: other, place, atMs: followedMs, journey, link });
      if (journey === null) continue;
      const openMs = followedMs + this.#random.logNormal(MEDIAN_MINUTES_TO_OPEN, SPREAD_OF_MINUTES) * MINUTE_MS + 10_000;
      this.#open(steps, other, openMs, journey, this.#random.chance(CHANGED_NETWORK) ? undefined : place);
    }
  }

  #click(steps: Step[], click: Pick<ClickStep, 'person' | 'place' | 'atMs' | 'journey' | 'link'>): void {
    const phone = this.#world.phone(click.person);
    const inApp = this.#random.chance(phone.platform === 'ios' ? IN_APP : ANDROID_NAMED);
    const named = inApp || (phone.platform === 'ios' && !phone.tablet);
    const frozen = inApp && phone.version.startsWith('26.') && this.#random.chance(FROZEN_VERSION);
    const relay = phone.platform === 'ios' && !inApp && this.#random.chance(PRIVATE_RELAY);
    const page = !phone.tablet || this.#random.chance(APP_ONLY_LINKS);
    const told = !named && page && this.#random.chance(PAGE_TOLD) && this.#habits.pagesTell;
    const version = frozen ? '18.6' : named || told ? phone.version : null;
    const browser = named ? 'another' : phone.platform === 'android' ? 'Chrome on Android' : 'Safari on an iPad';
    steps.push({ kind: 'click', ...click, version, browser, told, inApp, relay });
  }

  #open(steps: Step[], person: number, atMs: number, journey: Journey | null, place = this.#place(person, atMs)): void {
    steps.push({ kind: 'open', atMs, person, place, journey });
  }
}
