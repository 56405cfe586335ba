import type { CandidateClick } from '../../shared/attribution/choose-click.js';
import { isAppPlatform, matchFacts } from '../../shared/attribution/match-key.js';
import { type ClickSearch, matchClick, type NamedClick, type OpenClicks, readEvidence } from '../../shared/attribution/match-open.js';
import { parseOsVersion } from '../../shared/attribution/os-version.js';
import { MATCH_TYPES, type MatchType } from '../../shared/attribution/outcome.js';
import { unmatchableNetworks } from '../../shared/attribution/unmatchable-networks.js';
import { idAt } from '../../shared/base/ids.js';
import { networkOf } from '../../shared/net/address.js';
import { BROWSERS, type Browser, type ClickStep, HABITS, type Habits, type Journey, Journeys, type OpenStep } from './journeys.js';
import { PLACES, type Place, World } from './world.js';

/**
 * How often a rule claimed a match; how often it was right, because the click was the installing person's own; and how
 * often the click was of the link that the person had followed, so that the app received the right route and data.
 */
export interface Tally {
  claimed: number;
  correct: number;
  rightLink: number;
}

export interface AttributionFigures {
  readonly installs: number;
  /** Installs that a link led to. */
  readonly byLink: number;
  readonly rules: Readonly<Record<MatchType, Tally>>;
  /** Tallies of the probabilistic rule, by where the app was opened. */
  readonly places: Readonly<Record<Place, Tally>>;
  /** Installs by a link for which no click is named, by the browser that followed the link, and the results of the probabilistic rule. */
  readonly browsers: Readonly<Record<Browser, { installs: number; readonly tally: Tally }>>;
  /** What the probabilistic rule would achieve if it took the newest of several clicks. */
  readonly newest: Tally;
  readonly ambiguous: number;
}

/** The density of installs: one of 60 people installs the app in the simulated time. */
export const PEOPLE_PER_INSTALL = 60;
const WINDOW_MINUTES = 120;
const ENVIRONMENT = { number: 1, attribution_window_minutes: WINDOW_MINUTES };
const SEED = 20_261_121;

interface SimulatedClick extends CandidateClick {
  readonly id: string;
  readonly atMs: number;
  readonly person: number;
  readonly link: number;
  readonly key: string;
  used: boolean;
  /** Whether an open that names no click may be matched to it. */
  candidate: boolean;
}

/** The clicks, stored like those of the control plane: by what has to be equal for a match. */
class SimulatedClicks implements OpenClicks<SimulatedClick> {
  readonly #byId = new Map<string, SimulatedClick>();
  readonly #byKey = new Map<string, SimulatedClick[]>();

  add(click: SimulatedClick): void {
    this.#byId.set(click.id, click);
    if (click.key === '') return;
    const others = this.#byKey.get(click.key);
    if (others === undefined) this.#byKey.set(click.key, [click]);
    else others.push(click);
  }

  /** Forgets clicks that no open can find any more. In the simulation, a click may be named a day later. */
  forget(beforeMs: number): void {
    for (const [id, click] of this.#byId) if (click.atMs < beforeMs) this.#byId.delete(id);
    for (const [key, clicks] of this.#byKey) {
      const kept = clicks.filter(({ atMs, candidate }) => atMs >= beforeMs && candidate);
      if (kept.length === 0) this.#byKey.delete(key);
      else this.#byKey.set(key, kept);
    }
  }

  async find({ id }: NamedClick): Promise<SimulatedClick | null> {
    const click = this.#byId.get(id);
    return click === undefined || click.used ? null : click;
  }

  async isUsed({ id }: NamedClick): Promise<boolean> {
    return this.#byId.get(id)?.used === true;
  }

  async candidates(search: ClickSearch, limit: number): Promise<readonly SimulatedClick[]> {
    return this.open(search).slice(0, limit);
  }

  open({ network, facts, sinceMs, untilMs }: ClickSearch): readonly SimulatedClick[] {
    const clicks = this.#byKey.get(keyOf(network, facts)) ?? [];
    return clicks.filter(({ atMs, candidate }) => candidate && atMs >= sinceMs && atMs <= untilMs);
  }

  /** Uses the click. The older ones of its visit are no longer candidates, as in control-plane/apps/take-click.ts. */
  take(taken: SimulatedClick): void {
    taken.used = true;
    taken.candidate = false;
    for (const click of this.#byKey.get(taken.key) ?? [])
      if (click.visit === taken.visit && click.atMs <= taken.atMs && mayBeOneDevice(click, taken)) click.candidate = false;
  }
}

function mayBeOneDevice(one: SimulatedClick, other: SimulatedClick): boolean {
  return one.model === null || other.model === null || one.model === other.model;
}

function keyOf(network: Uint8Array, facts: Uint8Array): string {
  return `${Buffer.from(network).toString('latin1')}${Buffer.from(facts).toString('latin1')}`;
}

/** Simulates the days, and decides for every first open, by the rules of the service, which click it belongs to. */
export async function simulateAttribution(habits: Habits, onDay: (day: number) => void = () => {}): Promise<AttributionFigures> {
  const world = new World(habits.installs * PEOPLE_PER_INSTALL);
  const journeys = new Journeys(world, habits, SEED);
  const simulation = new Simulation(world);
  for (let day = 0; day < habits.days; day++) {
    for (const step of journeys.day(day)) {
      if (step.kind === 'click') simulation.click(step);
      else await simulation.open(step);
    }
    simulation.endDay(day);
    onDay(day);
  }
  return simulation.figures;
}

const DAY_MS = 86_400_000;
/** Ids carry a time: any time other than 1970 will do. */
const EPOCH_MS = Date.UTC(2026, 10, 1);

class Simulation {
  readonly figures = {
    installs: 0,
    byLink: 0,
    rules: Object.fromEntries(MATCH_TYPES.map((rule) => [rule, newTally()])) as Record<MatchType, Tally>,
    places: Object.fromEntries(PLACES.map((place) => [place, newTally()])) as Record<Place, Tally>,
    browsers: Object.fromEntries(BROWSERS.map((browser) => [browser, { installs: 0, tally: newTally() }])) as Record<
      Browser,
      { installs: number; readonly tally: Tally }
    >,
    newest: newTally(),
    ambiguous: 0,
  };
  readonly #world: World;
  readonly #clicks = new SimulatedClicks();
  readonly #isUnmatchable = unmatchableNetworks();

  constructor(world: World) {
    this.#world = world;
  }

  click({ atMs, person, place, version, browser, told, inApp, relay, journey, link }: ClickStep): void {
    const phone = this.#world.phone(person);
    const parsed = version === null ? null : parseOsVersion(version);
    const network = relay ? null : networkOf(this.#world.address(person, place));
    const matchable = parsed !== null && network !== null && isAppPlatform(phone.platform);
    // What the browser of an app, or a page, reports. An iPad's page does not know the model.
    const toldModel = told && !phone.tablet ? phone.model : null;
    const facts = inApp ? phone : { language: null, model: toldModel, screen: null };
    const id = idAt('click', EPOCH_MS + atMs);
    if (journey !== null) {
      journey.clickId = id;
      journey.link = link;
      journey.browser = browser;
    }
    this.#clicks.add({
      id,
      atMs: EPOCH_MS + atMs,
      person,
      link,
      key: matchable ? keyOf(network, matchFacts(phone.platform, parsed)) : '',
      used: false,
      candidate: true,
      occurred_at: new Date(EPOCH_MS + atMs),
      // A browser names the system, the browser of an app also its model and language; Chrome on Android and an iPad name nothing.
      visit: version === null || told ? `${link}` : `${link} ${version} ${facts.model} ${facts.language}`,
      language: facts.language,
      model: facts.model,
      screen: facts.screen,
    });
  }

  async open({ atMs, person, place, journey }: OpenStep): Promise<void> {
    const { figures } = this;
    figures.installs++;
    if (journey !== null) figures.byLink++;
    const followed = journey?.names === 'nothing' ? figures.browsers[journey.browser] : null;
    if (followed !== null) followed.installs++;
    // The URL of a first open is its own proof, so no click is searched for.
    if (journey?.names === 'opened_url') {
      await this.#takeCarried(journey.clickId);
      count(figures.rules.opened_url, OWN);
      return;
    }
    const phone = this.#world.phone(person);
    const reported = {
      play_referrer: journey?.names === 'play_referrer' ? `click_id=${journey.clickId}` : 'utm_source=google-play&utm_medium=organic',
      clipboard: journey?.names === 'clipboard' ? journey.clickId : null,
      device: { os: phone.platform, os_version: phone.version, language: phone.language, model: phone.model, screen: phone.screen },
    };
    const address = this.#world.address(person, place);
    const evidence = readEvidence(reported, {
      environment: ENVIRONMENT,
      address,
      isUnmatchable: this.#isUnmatchable,
      nowMs: EPOCH_MS + atMs,
    });
    const match = await matchClick(this.#clicks, evidence);
    const newest = evidence.search === null ? undefined : this.#clicks.open(evidence.search).at(-1);
    if (match.kind === 'none') {
      if (match.reason === 'ambiguous') figures.ambiguous++;
      if (newest !== undefined) count(figures.newest, outcomeOf(newest, person, journey));
      return;
    }
    this.#clicks.take(match.click);
    const outcome = outcomeOf(match.click, person, journey);
    count(figures.rules[match.rule], outcome);
    if (match.rule !== 'probabilistic') return;
    count(figures.places[place], outcome);
    if (followed !== null) count(followed.tally, outcome);
    count(figures.newest, outcome);
  }

  endDay(day: number): void {
    this.#clicks.forget(EPOCH_MS + day * DAY_MS);
  }

  async #takeCarried(id: string): Promise<void> {
    const click = await this.#clicks.find({ rule: 'clipboard', id, occurredMs: 0, ageMsMax: 0 });
    if (click !== null) this.#clicks.take(click);
  }
}

function newTally(): Tally {
  return { claimed: 0, correct: 0, rightLink: 0 };
}

/** Whether a claimed match was right. */
interface MatchOutcome {
  readonly own: boolean;
  readonly rightLink: boolean;
}

const OWN: MatchOutcome = { own: true, rightLink: true };

/** A click of the person's own is right even if it led to a different install. */
function outcomeOf(click: SimulatedClick, person: number, journey: Journey | null): MatchOutcome {
  return click.person === person ? OWN : { own: false, rightLink: journey !== null && journey.link === click.link };
}

function count(tally: Tally, { own, rightLink }: MatchOutcome): void {
  tally.claimed++;
  if (own) tally.correct++;
  if (rightLink) tally.rightLink++;
}

/** The figures that are shown together. */
export interface AttributionScenario {
  readonly title: string;
  readonly figures: AttributionFigures;
}

/** The default month, and launches that are denser, because the operator should know the results of the rules there. */
const SCENARIOS = [
  { name: 'in a month', days: 30, pagesTell: true },
  { name: 'in a month, were pages to tell nothing', days: 30, pagesTell: false },
  { name: 'in a week', days: 7, pagesTell: true },
  { name: 'in a day', days: 1, pagesTell: true },
] as const;

/** `onStep` is called with the progress: days done, days in all, and what is being done. */
export async function runAttribution(
  installs: number,
  onStep: (done: number, of: number, what: string) => void,
): Promise<readonly AttributionScenario[]> {
  const scenarios: AttributionScenario[] = [];
  for (const { name, days, pagesTell } of SCENARIOS) {
    const figures = await simulateAttribution({ ...HABITS, installs, days, pagesTell }, (day) => onStep(day + 1, days, `installs ${name}`));
    const people = installs * PEOPLE_PER_INSTALL;
    scenarios.push({ title: `${figures.installs} installs ${name}, among ${people} people`, figures });
  }
  return scenarios;
}
