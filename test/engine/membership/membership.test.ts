import t from 'tap';
import { type EngineSetRow, Membership, SETTLING_MS, shareOf } from '../../../engine/membership/membership.js';
import { InvariantError } from '../../../shared/base/invariant.js';
import { manualClock } from '../../support/manual-clock.js';
import fc from '../../support/properties.js';

const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 9 });

t.test('shares add up to the limit, and no share grows when an engine joins', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60_000 }),
      fc.string(),
      names,
      fc.stringMatching(/^[A-Z]{1,3}$/),
      (limit, subject, members, more) => {
        const shares = members.map((member) => shareOf(limit, subject, members, member));
        const after = members.map((member) => shareOf(limit, subject, [...members, more], member));
        const sum = shares.reduce((total, share) => total + share, 0);
        return (
          sum === limit &&
          after.every((share, index) => share <= (shares[index] as number)) &&
          Math.max(...shares) - Math.min(...shares) <= 1
        );
      },
    ),
  );
});

t.test('the remainder goes to different engines for different subjects', async (t) => {
  const first = new Set(Array.from({ length: 50 }, (_, n) => (shareOf(1, `rt_${n}`, ['a', 'b'], 'a') === 1 ? 'a' : 'b')));
  t.strictSame([...first].sort(), ['a', 'b']);
});

/** A row as stored, with the set of members, which other engines do not read. */
interface WorldRow {
  readonly id: string;
  readonly members: readonly string[];
  readonly beat: string;
  readonly leftAtMs: number | null;
}

/**
 * Several engines over one table of rows, which change as the statements of `engine/sql` change them. Every engine beats on its
 * own, and knows only what it has seen.
 */
class World {
  readonly clock = manualClock(0);
  readonly rows = new Map<string, WorldRow>();
  readonly engines = new Map<string, Membership>();
  readonly cutOff = new Set<string>();
  readonly #published = new Map<string, readonly string[]>();
  databaseIsUp = true;
  #beats = 0;
  #names = 0;

  start(): string {
    const id = `e${this.#names++}`;
    this.engines.set(id, new Membership(id, this.clock.now));
    return id;
  }

  beat(id: string): void {
    const membership = this.engines.get(id);
    if (membership === undefined || !this.databaseIsUp) return;
    for (const [other, { leftAtMs }] of this.rows)
      if (leftAtMs !== null && this.clock.now() - leftAtMs >= SETTLING_MS) this.rows.delete(other);
    if (this.rows.has(id)) {
      this.#write(id, membership.members());
      membership.observe(this.#seenBy(id));
    } else {
      if (membership.kind() !== 'unknown') membership.lost(id);
      this.#write(id, [id]);
      membership.joined(this.#seenBy(membership.self));
    }
    const rows = this.#seenBy(membership.self);
    for (const { id: silent, beat } of membership.silent(rows)) if (this.rows.get(silent)?.beat === beat) this.rows.delete(silent);
  }

  /** The rows that the statement returns to this engine. */
  #seenBy(reader: string): readonly EngineSetRow[] {
    return [...this.rows.values()].map(({ id, beat, members }) => ({ id, beat, knows_me: members.includes(reader), calls: true }));
  }

  #write(id: string, members: readonly string[]): void {
    this.#beats += 1;
    this.rows.set(id, { id, members, beat: String(this.#beats), leftAtMs: null });
    this.#published.set(id, members);
  }

  kill(id: string): void {
    this.engines.delete(id);
  }

  /** Starts a process that continues on the same folder. */
  restart(id: string): void {
    const membership = new Membership(id, this.clock.now);
    const published = this.#published.get(id);
    // An engine can check its row only while the database is up. While it is down, the set that the engine noted holds for a while.
    if (published !== undefined && this.rows.has(id)) membership.resume(published);
    this.engines.set(id, membership);
  }

  leave(id: string): void {
    const row = this.rows.get(id);
    if (row === undefined || !this.databaseIsUp) return;
    this.engines.delete(id);
    this.#beats += 1;
    this.rows.set(id, { ...row, beat: String(this.#beats), leftAtMs: this.clock.now() });
  }

  sum(limit: number): number {
    return [...this.engines.values()].reduce((total, membership) => total + membership.share(limit, 'rt'), 0);
  }
}

function run(world: World, seconds: number, everySeconds = 2, check: () => void = () => {}): void {
  for (let at = 0; at < seconds; at += everySeconds) {
    world.clock.advance(everySeconds * 1000);
    for (const id of world.engines.keys()) {
      world.beat(id);
      check();
    }
  }
}

t.test('a single engine has the whole limit at its first beat, and gives half of it to an engine that joins', async (t) => {
  const world = new World();
  const first = world.start();
  t.equal(world.sum(10), 0, 'no share before its row exists');
  world.beat(first);
  t.equal(world.sum(10), 10);
  const second = world.start();
  world.beat(second);
  t.equal(world.engines.get(second)?.share(10, 'rt'), 0);
  run(world, 4);
  t.strictSame(
    [world.engines.get(first)?.share(10, 'rt'), world.engines.get(second)?.share(10, 'rt')],
    [5, 0],
    'the first engine has given up half, the second has not taken it yet',
  );
  run(world, 80);
  t.equal(world.engines.get(second)?.share(10, 'rt'), 5);
});

t.test(
  'the share of an engine that left is taken once its calls no longer count, and that of a killed engine once it is known to be dead',
  async (t) => {
    const world = new World();
    const [first, second, third] = [world.start(), world.start(), world.start()] as const;
    run(world, 200);
    t.equal(world.sum(9), 9);
    world.leave(third);
    run(world, 70);
    t.equal(world.sum(9), 6);
    run(world, 10);
    t.equal(world.sum(9), 9);
    world.kill(second);
    run(world, 70);
    t.equal(world.engines.get(first)?.share(9, 'rt') ?? 0, world.sum(9));
    t.ok(world.sum(9) < 9);
    run(world, 20);
    t.equal(world.sum(9), 9);
  },
);

t.test('a process that restarts on the same folder has its share at once', async (t) => {
  const world = new World();
  const [first] = [world.start(), world.start()];
  run(world, 200);
  world.kill(first);
  run(world, 20);
  world.restart(first);
  t.equal(world.sum(10), 10);
});

t.test('while the database is away for an hour, and afterwards, all engines keep their shares', async (t) => {
  const world = new World();
  world.start();
  world.start();
  run(world, 200);
  world.databaseIsUp = false;
  run(world, 3600, 10);
  t.equal(world.sum(10), 10);
  world.databaseIsUp = true;
  run(world, 200, 2, () => t.equal(world.sum(10), 10));
});

t.test('an engine whose row was deleted joins again, and makes no calls meanwhile', async (t) => {
  const world = new World();
  const [first, second] = [world.start(), world.start()] as const;
  run(world, 200);
  world.rows.delete(second);
  world.beat(second);
  t.equal(world.engines.get(second)?.share(10, 'rt'), 0);
  run(world, 10, 2, () => t.ok(world.sum(10) <= 10));
  run(world, 100);
  t.equal(world.sum(10), 10);
  t.equal(world.engines.get(first)?.share(10, 'rt'), 5);
});

const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 120 }) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'start' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('kill' as const, 'leave' as const, 'restart' as const), which: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'database' as const }) },
);

t.test(
  'the sum never exceeds the limit while engines start, leave, are killed or restart, and the database goes away and returns',
  async () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.integer({ min: 1, max: 12 }), (events, limit) => {
        const world = new World();
        let exceeded = false;
        const check = () => {
          exceeded ||= world.sum(limit) > limit;
        };
        const ids: string[] = [];
        for (const next of events) {
          const id = next.kind === 'kill' || next.kind === 'leave' || next.kind === 'restart' ? ids[next.which] : undefined;
          if (next.kind === 'start') ids.push(world.start());
          else if (next.kind === 'database') world.databaseIsUp = !world.databaseIsUp;
          else if (next.kind === 'pass') run(world, next.seconds, 2, check);
          else if (id !== undefined && next.kind === 'kill') world.kill(id);
          else if (id !== undefined && next.kind === 'leave') world.leave(id);
          else if (id !== undefined && next.kind === 'restart' && !world.engines.has(id)) world.restart(id);
          check();
        }
        return !exceeded;
      }),
      { numRuns: 300 },
    );
  },
);

t.test('an engine that has its share cannot join again before its row is lost', async (t) => {
  const membership = new Membership('a', () => 0);
  membership.resume(['a']);
  t.throws(() => membership.joined([]), new InvariantError("an engine among others cannot go from 'acting' to 'coming'"));
});
