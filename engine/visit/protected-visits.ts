import type { Clock } from '../../shared/base/clock.js';
import { CLICK_LIMIT_DEADLINE_MS, PASSWORDS_WAITING_MAX } from '../../shared/base/limits.js';
import { addressOfLimit } from '../../shared/net/address.js';
import type { ProxyTrust } from '../../shared/net/client-address.js';
import type { LinkRules } from '../../shared/records/link-rules.js';
import { PasswordTries } from '../../shared/secrets/password-tries.js';
import type { ClickLimits } from '../click-limits/click-limits.js';
import type { AnswerSink } from '../http/answer-sink.js';
import type { Facts } from '../http/facts.js';
import { type PasswordPageState, passwordPagePolicy, renderPasswordPage } from '../pages/password-page.js';
import { PASSWORD_SCHEME } from '../pages/password-scheme.js';
import { addressOf } from './click-record.js';
import type { Decision } from './decide.js';
import { type PendingVisitParts, PendingVisits } from './pending-visits.js';
import type { Site } from './site.js';

export interface ProtectedVisitParts extends PendingVisitParts {
  readonly clickLimits: Pick<ClickLimits, 'take'>;
  readonly site: Site;
  readonly proxyTrust: ProxyTrust;
  readonly clock: Clock;
  /** Stores the click and answers, as for a visitor of any other link. */
  readonly carryOut: (facts: Facts, decision: Decision, sink: AnswerSink) => void;
}

/** Longer than all waiting password comparisons and the click limit query after them take. */
const PROTECTED_DEADLINE_MS = PASSWORDS_WAITING_MAX * 500 + 2 * CLICK_LIMIT_DEADLINE_MS;

/** Whether a visitor is admitted, and the decision to which this applies. */
interface Admission {
  readonly outcome: 'admitted' | 'used_up' | 'wrong' | 'throttled' | 'asked';
  readonly decision: Decision;
}

/** A visit that is waiting. */
interface ProtectedVisit {
  readonly sink: AnswerSink;
  readonly decideAgain: (facts: Facts) => Decision;
}

/**
 * Visits of links with a password or a click limit. The password is compared in a thread, and the click limit is checked in
 * PostgreSQL. Then the visitor is answered as on any other link. Until then nothing about the link is revealed.
 */
export class ProtectedVisits {
  readonly #parts: ProtectedVisitParts;
  readonly #tries: PasswordTries;
  readonly #pending: PendingVisits;

  constructor(parts: ProtectedVisitParts) {
    this.#parts = parts;
    this.#pending = new PendingVisits(parts, PROTECTED_DEADLINE_MS);
    this.#tries = new PasswordTries(parts.clock);
  }

  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Answers the visit of a link with these rules, now or later. `decideAgain` makes the decision again after the wait, because the
   * link may have been disabled or been given another password or destination in the meantime.
   */
  serve(facts: Facts, decision: Decision, rules: LinkRules, { sink, decideAgain }: ProtectedVisit): void {
    const password = rules.password === null ? null : passwordOf(facts);
    if (rules.password !== null && password === null) this.#askPassword(facts, decision, sink, 'asked');
    else if (facts.prefetch || this.#pending.full) {
      // A browser that prefetches asks again when somebody follows the link.
      this.#parts.site.unavailable(facts, decision, sink);
    } else {
      const address = addressOfLimit(addressOf(facts, sink, this.#parts.proxyTrust).text);
      this.#pending.hold(facts, decision, sink, {
        find: (held) => this.#admission(decision, rules, { address, password, method: held.method, decideAgain: () => decideAgain(held) }),
        answer: (held, admission) => this.#answer(held, sink, admission),
      });
    }
  }

  async #admission(
    decision: Decision,
    rules: LinkRules,
    {
      address,
      password,
      method,
      decideAgain,
    }: {
      readonly address: string;
      readonly password: string | null;
      readonly method: Facts['method'];
      readonly decideAgain: () => Decision;
    },
  ): Promise<Admission> {
    const id = decision.link?.id ?? '';
    if (rules.password !== null && password !== null) {
      const tried = await this.#tries.attempt(id, address, {
        password,
        hash: rules.password,
        environment: decision.entry.environment.record.id,
      });
      if (tried !== 'right') return { outcome: tried === 'busy' ? 'throttled' : tried, decision };
    }
    const now = decideAgain();
    const { protection } = now;
    if (protection !== null && protection.password !== null && protection.password !== rules.password)
      return { outcome: 'asked', decision: now };
    // A HEAD request is not a click and uses none of the limit.
    if (protection !== null && protection.max_clicks !== null && method !== 'HEAD' && !(await this.#parts.clickLimits.take(id)))
      return { outcome: 'used_up', decision: now };
    return { outcome: 'admitted', decision: now };
  }

  #answer(facts: Facts, sink: AnswerSink, { outcome, decision }: Admission): void {
    const { site, figures, carryOut } = this.#parts;
    if (outcome === 'admitted') carryOut(facts, decision, sink);
    else if (outcome === 'used_up') {
      site.statusPage(facts, sink, 'expired', decision.entry);
      figures.count('expired');
    } else this.#askPassword(facts, decision, sink, outcome);
  }

  #askPassword(facts: Facts, { entry }: Decision, sink: AnswerSink, state: PasswordPageState): void {
    const { site, responder, figures } = this.#parts;
    const language = site.languageOf(facts);
    const { brand } = entry.environment;
    const html = renderPasswordPage(state, language, brand);
    responder.passwordPage(sink, facts.method, { html, policy: passwordPagePolicy(brand), language }, state === 'throttled');
    figures.count(`password_${state}`);
  }
}

/**
 * Returns the password in the header (RFC 9110, section 11.4, and RFC 7617); null if none was sent. The user name of `Basic` is
 * ignored.
 */
function passwordOf({ authorization }: Facts): string | null {
  const [scheme = '', token = ''] = authorization.split(' ');
  const text = Buffer.from(token, 'base64').toString();
  if (scheme.toLowerCase() === PASSWORD_SCHEME.toLowerCase()) return text;
  return scheme.toLowerCase() === 'basic' ? text.slice(text.indexOf(':') + 1) : null;
}
