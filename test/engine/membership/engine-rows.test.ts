import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import t from 'tap';
import {
  beatEngine,
  type EngineOwner,
  forgetLeftEngines,
  insertEngine,
  leaveEngines,
  readEngines,
} from '../../../engine/membership/engine-rows.js';
import { Membership, SETTLING_MS } from '../../../engine/membership/membership.js';
import { createDatabase } from '../../support/database.js';
import { manualClock } from '../../support/manual-clock.js';

const own = await createDatabase();
const client = new pg.Client({ connectionString: own.url });
await client.connect();
t.teardown(async () => {
  await client.end();
  await own.drop();
});

/** The interval of an engine's beats. */
const BEAT_SECONDS = 2;
const DUTIES = { roles: ['redirect', 'background', 'webhooks'], connections: 20 };

/** The number of bytes that go to the server and come from it while `work` runs. */
async function bytesOf(work: () => Promise<unknown>): Promise<number> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const before = stream.bytesRead + stream.bytesWritten;
  await work();
  return stream.bytesRead + stream.bytesWritten - before;
}

interface Engine {
  readonly owner: EngineOwner;
  readonly membership: Membership;
  said: string;
}

/** Runs the statements of a beat, as the heartbeat does. Returns how many statements those are. */
async function beat(engine: Engine): Promise<number> {
  const { owner, membership } = engine;
  const members = membership.members();
  const isSaid = members.join() === engine.said;
  await beatEngine(client, owner, {
    members: isSaid ? null : members,
    applied: { epoch: 'e 1', position: 7, mark: '' },
    report: null,
  });
  engine.said = members.join();
  await forgetLeftEngines(client, SETTLING_MS);
  membership.observe(await readEngines(client, owner.id));
  return 3;
}

async function startAll(count: number, now: () => number): Promise<readonly Engine[]> {
  await client.query('DELETE FROM engines');
  const engines = Array.from({ length: count }, () => {
    const id = randomUUID();
    return { owner: { id, session: randomUUID() }, membership: new Membership(id, now), said: '' };
  });
  for (const { owner, membership } of engines) {
    await insertEngine(client, owner, DUTIES, membership.members());
    membership.joined(await readEngines(client, owner.id));
  }
  return engines;
}

t.test('the rows of a hundred engines cost less than 500 kB a second, and about four times those of fifty at most', async (t) => {
  const clock = manualClock(0);
  const measured = new Map<number, number>();
  for (const count of [50, 100]) {
    const engines = await startAll(count, clock.now);
    for (let round = 0; round < 3; round++) for (const engine of engines) await beat(engine);
    clock.advance(SETTLING_MS);
    for (const engine of engines) await beat(engine);
    t.ok(
      engines.every(({ membership }) => membership.kind() === 'acting' && membership.members().length === count),
      'every engine acts with the set of all engines',
    );
    let statements = 0;
    const bytes = await bytesOf(async () => {
      for (const engine of engines) statements += await beat(engine);
    });
    measured.set(count, bytes / BEAT_SECONDS);
    t.comment(`${count} engines: ${statements / BEAT_SECONDS} statements and ${Math.round(bytes / BEAT_SECONDS / 1000)} kB a second`);
    const whole = await bytesOf(() => client.query('SELECT id, members, beat::text AS beat FROM engines'));
    t.comment(`with every set read by every engine it would be ${Math.round((whole * count) / BEAT_SECONDS / 1000)} kB a second`);
  }
  t.ok((measured.get(100) as number) < 500_000, `${measured.get(100)}`);
  t.ok((measured.get(100) as number) < 4.5 * (measured.get(50) as number));
});

t.test('a row says what its engine does, and whether it knows the engine that reads it', async (t) => {
  const [first, second] = (await startAll(2, () => 0)) as [Engine, Engine];
  const seen = async (reader: Engine) => (await readEngines(client, reader.owner.id)).find(({ id }) => id !== reader.owner.id);
  t.match(await seen(second), { knows_me: false, calls: true, delivers: true });
  await beat(first);
  await beat(first);
  t.match(await seen(second), { knows_me: true });
  await leaveEngines(client, first.owner, 0);
  t.match(await seen(second), { calls: true, delivers: false }, 'its calls still count, its deliveries have ended');
});
