import { createHash } from 'node:crypto';
import { Beats } from '../../shared/base/beats.js';
import { invariant } from '../../shared/base/invariant.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import type { EngineRow } from './engine-rows.js';

/**
 * How the engines that share one database share the limits of customers' APIs.
 *
 * An engine acts by a set of engines, to which it belongs, and takes its share of each limit as if exactly these made calls. The
 * shares of one set add up to the limit, and a share never grows when the set does. So the sum of what engines take stays within
 * the limit as long as **every engine that makes calls is in the set of every other one**. All rules here serve that invariant:
 *
 * - An engine that sees another one adds it to its set at once, and then says so in its own row.
 * - A new engine makes no call until all others have said so. It then waits for as long as calls that they made under a greater
 *   share still count in a window of a minute.
 * - An engine that leaves keeps its row until its own calls no longer count. Others remove an engine from their sets only after
 *   its row is gone.
 * - If an engine ends without leaving, its row is removed by another one that has seen it unchanged for longer than that. An
 *   engine that finds its own row gone was assumed to have ended, and joins again.
 *
 * An engine that cannot reach the database goes on with the set that it has. No share grows meanwhile, unless other engines do
 * reach the database and see its row unchanged: this is the only case in which the sum can exceed the limit.
 */
export type EngineSetRow = Omit<EngineRow, 'delivers'>;

/** Calls count for a minute after their end, and end within 5 seconds; a beat and a write take their time. */
export const SETTLING_MS = 75_000;

/** Three beats: a member that has not written for this long is asked last. */
const SILENT_MS = 6_000;

/**
 * The state of an engine among the others.
 *
 * `unknown`  This engine is not known to have a row. Goes to `acting` if its row existed all the time (a process that continues
 *            after another one on the same folder), otherwise to `coming`.
 * `coming`   Its row exists, but it makes no calls. Goes to `acting` when all others have had it in their sets for SETTLING_MS,
 *            or at once if there are no others.
 * `acting`   Takes its share. Goes to `unknown` when its row is gone.
 */
type Standing =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'coming'; readonly settlingSinceMs: number | null }
  | { readonly kind: 'acting' };

const PREDECESSORS: Predecessors<Standing['kind']> = {
  unknown: ['unknown', 'coming', 'acting'],
  // From itself in every round until all others have had the engine in their sets for long enough.
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

  /** `now` returns monotonic milliseconds. An engine that does not call still knows those that do. */
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

  /** The set this engine acts by. Its row must contain this set, or an earlier one. */
  members(): readonly string[] {
    return this.#members;
  }

  kind(): Standing['kind'] {
    return this.#standing.kind;
  }

  /** Continues after another process, with the set by which that one acted. Its row still exists, or cannot be read yet. */
  resume(members: readonly string[]): void {
    invariant(this.#standing.kind === 'unknown' && members.includes(this.#self) === this.#calls, 'an engine is in its own set');
    this.#members = [...members];
    this.#become({ kind: 'acting' });
  }

  /** The row was inserted again, under the lock that makes engines join one after the other. `rows` are the rows that existed then. */
  joined(rows: readonly EngineSetRow[]): void {
    this.#members = this.#alone();
    this.#beats.forget();
    this.#become({ kind: 'coming', settlingSinceMs: null });
    this.observe(rows);
  }

  /** The engine's own row is gone, or belongs to another process. In either case this engine joins again, under another id. */
  lost(id: string): void {
    this.#self = id;
    this.#members = this.#alone();
    this.#become({ kind: 'unknown' });
  }

  /** Takes all current rows, including the engine's own. Returns whether the set has changed, which the row then has to say. */
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

  /** Returns the rows whose engines have ended, with the beat that was seen. They are to be removed if that has not changed. */
  silent(rows: readonly EngineSetRow[]): readonly EngineSetRow[] {
    return rows.filter(({ id, beat }) => this.#beats.stillMs(id, beat) >= SETTLING_MS);
  }

  /**
   * Returns how much of the limit this engine may take. `subject` names what is limited: remainders go to different engines for
   * different subjects.
   */
  share(limit: number, subject: string): number {
    return this.#calls && this.#standing.kind === 'acting' ? shareOf(limit, this.#subject(limit, subject), this.#members, this.#self) : 0;
  }

  /** Returns the members that have a share above 0 if all of them act. */
  holders(limit: number, subject: string): readonly string[] {
    if (limit >= this.#members.length) return this.#members;
    return ranked(this.#subject(limit, subject), this.#members).slice(0, limit);
  }

  /** Returns the members in an order that depends on the item; those whose rows have stopped changing come last. */
  ordered(item: string, members: readonly string[]): readonly string[] {
    const isSilent = (member: string) => this.#beats.stillMs(member) >= SILENT_MS;
    const all = ranked(item, members);
    return [...all.filter((member) => !isSilent(member)), ...all.filter(isSilent)];
  }

  /**
   * If a limit is lower than the number of members, all such limits of one API go to the same members: a member with a share of
   * concurrent calls, but none of calls per minute, would make none. `subject` is the API and its limit, separated by a slash.
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
 * Returns the share of one of the members: the limit is divided, and the remainder goes to the first members in an order that
 * depends on the subject (rendezvous hashing, https://en.wikipedia.org/wiki/Rendezvous_hashing). An additional member moves the
 * others back in that order or leaves them where they are, so that it makes no share grow.
 */
export function shareOf(limit: number, subject: string, members: readonly string[], self: string): number {
  const own = weight(subject, self);
  const rank = members.filter((member) => member !== self && weight(subject, member) < own).length;
  return Math.max(0, Math.ceil((limit - rank) / members.length));
}

/** Returns the members by their weights: those with the greater share come first. */
function ranked(subject: string, members: readonly string[]): readonly string[] {
  const weights = new Map(members.map((member) => [member, weight(subject, member)]));
  return members.toSorted((a, b) => ((weights.get(a) as string) < (weights.get(b) as string) ? -1 : 1));
}

function weight(subject: string, member: string): string {
  return createHash('sha256').update(`${subject}/${member}`).digest('hex');
}
