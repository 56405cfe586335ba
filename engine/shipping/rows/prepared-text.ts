import { mayBeTablet } from '../../../shared/attribution/click-device.js';
import { factsOfUserAgent } from '../../../shared/attribution/in-app-device.js';
import { type AppPlatform, isAppPlatform, matchFacts, undecidedFacts } from '../../../shared/attribution/match-key.js';
import { parseOsVersion } from '../../../shared/attribution/os-version.js';
import { GenerationCache } from '../../../shared/base/generation-cache.js';
import { UTM_CHARACTERS_MAX } from '../../../shared/base/limits.js';
import { UTM_FIELDS, type Utm } from '../../../shared/records/records.js';
import { type PlatformHint, recogniseVisitor, type Visitor, withClientHints } from '../../../shared/resolve/recognise-visitor.js';
import { splitPlatformVersion, splitRegion } from '../../spool/click.js';
import { textField, textFieldOrNull } from './copy-buffer.js';
import { placeOfHeaders } from './header-place.js';
import { type PreparedPlace, preparePlace } from './prepared-place.js';
import { userAgentHash } from './visitor-hashes.js';
import { programOf, type VisitorProgram } from './visitor-program.js';

/**
 * What the shipper derives from a text that repeats. It is made once and then copied into many rows: the text as a field of a
 * row, and the values parsed from it.
 */
export class PreparedText {
  readonly #text: string;
  #field: Buffer | null = null;
  #fieldOrNull: Buffer | null = null;
  #place: PreparedPlace | null = null;

  /** Set by `TextPreparer`, which shares it between segments. */
  user_agent: PreparedUserAgent | null = null;
  utm: PreparedUtm | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  get field(): Buffer {
    this.#field ??= textField(this.#text);
    return this.#field;
  }

  get fieldOrNull(): Buffer {
    this.#fieldOrNull ??= textFieldOrNull(this.#text);
    return this.#fieldOrNull;
  }

  /** Where the visitor was according to the proxy, parsed from the text of a click's country. */
  get place(): PreparedPlace {
    this.#place ??= preparePlace(placeOfHeaders(splitRegion(this.#text)));
    return this.#place;
  }
}

/** Joins bytes that outlive their sources, in memory of their own. A slice of a pool would keep the whole pool alive. */
function joined(parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) at += part.copy(bytes, at);
  return bytes;
}

/** One user agent under one platform hint. */
export interface PreparedVisitor {
  readonly visitor: Visitor;
  readonly program: VisitorProgram;
  /** The columns platform, os_version, in_app_browser, os, browser, browser_version. */
  readonly fields: Buffer;
  /** The system whose apps the click may lead to; null for a visitor of another system. */
  readonly appPlatform: AppPlatform | null;
  /** The facts that a first open must match, or that a page's report must match if the version is unknown; null without `appPlatform`. */
  readonly matchFacts: Buffer | null;
  /** Whether `matchFacts` contains a version. */
  readonly versioned: boolean;
  /** The columns language, model, screen of an open click. */
  readonly factFields: Buffer;
}

export class PreparedUserAgent {
  readonly text: string;
  /** Represents the user agent in the visitor hash. */
  readonly hash: Buffer;
  /** The column user_agent_hash: the first 8 bytes of `hash`. */
  readonly hashField: Buffer;
  /** Day of the newest click for which the text is known to be in `user_agents`, in days since the epoch. */
  remembered_day = -1;
  readonly #visitor: Visitor;
  readonly #platformVersion: string;
  readonly #factFields: Buffer;
  readonly #hinted = new Map<PlatformHint, PreparedVisitor>();

  /** `text` is a click's user agent. */
  constructor(text: string) {
    const { user_agent, platform_version } = splitPlatformVersion(text);
    this.text = user_agent;
    this.hash = userAgentHash(user_agent);
    this.hashField = joined([Buffer.from([0, 0, 0, 8]), this.hash.subarray(0, 8)]);
    this.#visitor = recogniseVisitor(user_agent);
    this.#platformVersion = platform_version;
    const { language, model, screen } = factsOfUserAgent(user_agent);
    this.#factFields = joined([...[language, model, screen].map((fact) => textFieldOrNull(fact ?? '')), this.hashField]);
  }

  under(hint: PlatformHint): PreparedVisitor {
    let prepared = this.#hinted.get(hint);
    if (prepared === undefined) {
      const visitor = withClientHints(this.#visitor, hint, this.#platformVersion);
      const program = programOf(this.text, visitor);
      const texts = [visitor.os_version, visitor.in_app_browser, program.os, program.browser, program.browser_version];
      const fields = joined([textField(visitor.platform), ...texts.map(textFieldOrNull)]);
      prepared = { visitor, program, fields, ...matchedBy(visitor, this.text), factFields: this.#factFields };
      this.#hinted.set(hint, prepared);
    }
    return prepared;
  }
}

function matchedBy(visitor: Visitor, userAgent: string): Pick<PreparedVisitor, 'appPlatform' | 'matchFacts' | 'versioned'> {
  const { platform, os_version } = visitor;
  const appPlatform = isAppPlatform(platform) ? platform : mayBeTablet(visitor, userAgent) ? 'ios' : null;
  // A Mac's user agent contains the version of a Mac.
  const version = appPlatform === platform ? parseOsVersion(os_version) : null;
  if (appPlatform === null) return { appPlatform, matchFacts: null, versioned: false };
  return {
    appPlatform,
    matchFacts: version === null ? undecidedFacts(appPlatform) : matchFacts(appPlatform, version),
    versioned: version !== null,
  };
}

export interface PreparedUtm {
  readonly utm: Utm;
  /** The five UTM columns. */
  readonly fields: Buffer;
}

/** Returns the UTM fields of a query. Fields that it does not set are taken from `below`. */
function prepareUtm(query: string, below: Utm | null): PreparedUtm {
  const parameters = new URLSearchParams(query);
  const field = (name: (typeof UTM_FIELDS)[number]): string | null => {
    const value = parameters.get(name);
    return value === null || value === '' ? (below?.[name] ?? null) : [...value].slice(0, UTM_CHARACTERS_MAX).join('');
  };
  const utm: Utm = {
    utm_source: field('utm_source'),
    utm_medium: field('utm_medium'),
    utm_campaign: field('utm_campaign'),
    utm_term: field('utm_term'),
    utm_content: field('utm_content'),
  };
  return { utm, fields: joined(UTM_FIELDS.map((name) => textFieldOrNull(utm[name] ?? ''))) };
}

/** Texts remembered across segments, in each of two generations. The number is limited because texts may differ with each click. */
const REMEMBERED_MAX = 4_096;

/** Recognising a user agent takes tens of microseconds, and a segment has only some 50,000 clicks, so results are kept across segments. */
export class TextPreparer {
  readonly #userAgents = new GenerationCache(REMEMBERED_MAX, (text) => new PreparedUserAgent(text));
  readonly #utms = new GenerationCache(REMEMBERED_MAX, (pair) => {
    const [fragment, destinationQuery] = pair.split('\n') as [string, string];
    const own = prepareUtm(fragment, null);
    return destinationQuery === '' ? own : prepareUtm(destinationQuery, own.utm);
  });

  userAgent(text: string): PreparedUserAgent {
    return this.#userAgents.of(text);
  }

  /** Merges the UTM fields of the destination's query over those of the link (`fragment`). Both are queries without `?`. */
  utm(fragment: string, destinationQuery: string): PreparedUtm {
    // Neither contains a line feed, because no URL does.
    return this.#utms.of(`${fragment}\n${destinationQuery}`);
  }
}
