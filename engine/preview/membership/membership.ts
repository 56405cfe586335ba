import { createHash } from 'node:crypto';
import { Beats } from '../../../shared/base/beats.js';
import { invariant } from '../../../shared/base/invariant.js';
import { assertTransition, type Predecessors } from '../../../shared/base/transitions.js';
import type { EngineRow } from './engine-rows.js';

/**
 * How the engines that share one database share the limits of customers' APIs.
 *
 * An engine acts by a set of engines, to which it belongs, and takes its share of each limit as if exactly these made
 * calls. The shares of one set add up to the limit, and a share never grows when the set does: so the sum of what engines
 * take stays within the limit as long as **every engine that makes calls is in the set of every other one**. All rules
 * here serve that sentence:
 *
 * - An engine that sees another one takes it into its set at once, and then says so in its own row.
 * - One that comes makes no call before all others have said so, and then for as long again as calls of theirs, made
 *   under a greater share, still count in a window of a minute.
 * - One that goes leaves its row until its own calls count no more. An engine is left out of the sets of others only once
 *   its row is gone.
 * - The row of one that ended without a word is removed by one that saw it stand still for longer than that. An engine
 *   that finds its own row gone was taken for ended, and comes again.
 *
 * An engine that cannot reach the database goes on by the set it has. Nobody's share grows meanwhile, unless others do
 * reach the database and see it stand still: this is the one case in which the sum can be exceeded.
 */
export type EngineSetRow = Omit<EngineRow, 'delivers'>;

/** Calls count for a minute after their end; they end within 5 seconds; a beat and a write take their time. */
export const SETTLING_MS = 75_000;

/** Three beats: a member that has not written for so long is asked last. */
const SILENT_MS = 6_000;

/**
 * `unknown`  No row of this engine's is known to stand. Left to `acting` where its row stood all the time (a process that
 *            continues after another one on the same folder), else to `coming`.
 * `coming`   Its row stands, no call is made. Left to `acting` when all others have had it in their sets for SETTLING_MS,
 *            at once if there are no others.
 * `acting`   Takes its share. Left to `unknown` when its row is gone.
 */
type Standing =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'coming'; readonly settlingSinceMs: number | null }
  | { readonly kind: 'acting' };

const PREDECESSORS: Predecessors<Standing['kind']> = {
  unknown: ['unknown', 'coming', 'acting'],
  // From itself in every round until all others have had it in their sets for long enough.
  coming: ['unknown', 'coming'],
  acting: ['unknown', 'coming'],
};

export class Membership {
  #self: string;
  readonly #now: () => number;
  readonly #calls: boolean;
  readonly #beats: Beats;
  #standing: Standing = { kind: 'unknown' };
  #members: readonly string[];

  /** `now` gives monotonic milliseconds. An engine that does not call knows of those that do. */
  constructor(self: string, now: () => number, calls = true) {
    this.#self = self;
    this.#now = now;
    this.#calls = calls;
    this.#beats = new Beats(now);
    this.#members = this.#alone();
  }

  get self(): string {
    return this.#self;
  }

  /** The set this engine acts by. What it says in its row must be this, or have been this. */
  members(): readonly string[] {
    return this.#members;
  }

  kind(): Standing['kind'] {
    return this.#standing.kind;
  }

  /** A process continues after another one, whose row still stands or cannot be looked at yet, by the set that one acted by. */
  resume(members: readonly string[]): void {
    invariant(this.#standing.kind === 'unknown' && members.includes(this.#self) === this.#calls, 'an engine is in its own set');
    this.#members = [...members];
    this.#become({ kind: 'acting' });
  }

  /** The row was made again, under the lock that lets one engine come after the other; these are the rows that stood then. */
  joined(rows: readonly EngineSetRow[]): void {
    this.#members = this.#alone();
    this.#beats.forget();
    this.#become({ kind: 'coming', settlingSinceMs: null });
    this.observe(rows);
  }

  /** The own row is gone, or is another process's by now: in either case this engine comes again, under another id. */
  lost(id: string): void {
    this.#self = id;
    this.#members = this.#alone();
    this.#become({ kind: 'unknown' });
  }

  /** All rows as they stand, the own one among them. Returns whether the set became another one, which the row is then to say. */
  observe(rows: readonly EngineSetRow[]): boolean {
    const others = rows.filter(({ id }) => id !== this.#self);
    this.#beats.observe(others);
    const callers = others.filter(({ calls }) => calls);
    const members = [...this.#alone(), ...callers.map(({ id }) => id)].sort();
    const changed = members.join() !== this.#members.join();
    this.#members = members;
    if (this.#standing.kind === 'coming') this.#settle(callers, this.#standing.settlingSinceMs);
    return changed;
  }

  /** Rows that stand for nobody any more, with the beat that was seen: they are to be removed where it is still that one. */
  silent(rows: readonly EngineSetRow[]): readonly EngineSetRow[] {
    return rows.filter(({ id, beat }) => this.#beats.stillMs(id, beat) >= SETTLING_MS);
  }

  /** How much of the limit this engine may take. `subject` names what is limited: remainders fall to different engines for different subjects. */
  share(limit: number, subject: string): number {
    return this.#calls && this.#standing.kind === 'acting' ? shareOf(limit, this.#subject(limit, subject), this.#members, this.#self) : 0;
  }

  /** The members that have a share above 0, if all of them act. */
  holders(limit: number, subject: string): readonly string[] {
    if (limit >= this.#members.length) return this.#members;
    return ranked(this.#subject(limit, subject), this.#members).slice(0, limit);
  }

  /** The members in an order that the item decides; those whose rows stand still come last. */
  ordered(item: string, members: readonly string[]): readonly string[] {
    const isSilent = (member: string) => this.#beats.stillMs(member) >= SILENT_MS;
    const all = ranked(item, members);
    return [...all.filter((member) => !isSilent(member)), ...all.filter(isSilent)];
  }

  /**
   * Below one for each member, the limits of one API fall to the same members: one that has a share of calls at once, and none
   * of calls a minute, would make none. `subject` is the API and its limit, parted by a slash.
   */
  #subject(limit: number, subject: string): string {
    return limit < this.#members.length ? subject.slice(0, subject.lastIndexOf('/')) : subject;
  }

  #alone(): readonly string[] {
    return this.#calls ? [this.#self] : [];
  }

  #settle(others: readonly EngineSetRow[], sinceMs: number | null): void {
    const known = others.every(({ knows_me }) => knows_me);
    const since = known ? (sinceMs ?? this.#now()) : null;
    if (others.length === 0 || (since !== null && this.#now() - since >= SETTLING_MS)) this.#become({ kind: 'acting' });
    else this.#become({ kind: 'coming', settlingSinceMs: since });
  }

  #become(standing: Standing): void {
    assertTransition('an engine among others', PREDECESSORS, this.#standing.kind, standing.kind);
    this.#standing = standing;
  }
}

/**
 * The share of one of the members: the limit divided, and its remainder given to the first ones of an order that the
 * subject decides (rendezvous hashing, https://en.wikipedia.org/wiki/Rendezvous_hashing). Another member moves the others
 * back in that order or leaves them where they are, so that no share grows by it.
 */
export function shareOf(limit: number, subject: string, members: readonly string[], self: string): number {
  const own = weight(subject, self);
  const rank = members.filter((member) => member !== self && weight(subject, member) < own).length;
  return Math.max(0, Math.ceil((limit - rank) / members.length));
}

/** The members by their weights: the first ones are those whose share is the greater. */
function ranked(subject: string, members: readonly string[]): readonly string[] {
  const weights = new Map(members.map((member) => [member, weight(subject, member)]));
  return members.toSorted((a, b) => ((weights.get(a) as string) < (weights.get(b) as string) ? -1 : 1));
}

function weight(subject: string, member: string): string {
  return createHash('sha256').update(`${subject}/${member}`).digest('hex');
}
