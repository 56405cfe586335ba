import { connect } from 'node:net';
import t from 'tap';
import type { ListenerKind } from '../../../engine/http/listener.js';
import type { LookedUp } from '../../../engine/read-through/read-through.js';
import { PENDING_VISITS_MAX } from '../../../shared/base/limits.js';
import { until } from '../../support/until.js';
import { linkRecord, NO_DESTINATIONS } from '../fixtures.js';
import { started } from '../http/conformance.js';
import { converse, request } from '../http/raw-http.js';

const FOUND = linkRecord({ id: 'lnk_01jd0000000000000000000001', destinations: { ...NO_DESTINATIONS, web: 'https://new.example/' } });

/** A read-through that answers when the test lets it. */
function heldLookUp() {
  const waiting: ((link: LookedUp) => void)[] = [];
  const asked = (count: number) => until(() => waiting.length >= count, `${count} look-ups`);
  return {
    lookUp: () => new Promise<LookedUp>((resolve) => waiting.push(resolve)),
    asked,
    async answer(link: LookedUp, count: number): Promise<void> {
      await asked(count);
      for (const resolve of waiting.splice(0)) resolve(link);
    },
  };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What happens if something besides the request fails, on any listener. */
export function faults(kind: ListenerKind): void {
  t.test(`${kind}: a path that is not in the store is looked up, and the found link is served and counted`, async (t) => {
    const asked: unknown[] = [];
    const served = await started(t, kind, {
      lookUp: async (...question) => {
        asked.push(question);
        return question[2] === 'new' ? FOUND : null;
      },
    });
    const found = await converse(served.port, request('/new', { 'User-Agent': 'first' }), { answers: 1 });
    t.equal(found.answers[0]?.headers.get('location'), 'https://new.example/');
    t.equal((await converse(served.port, request('/none'), { answers: 1 })).answers[0]?.status, 404);
    t.same(asked, [
      ['env_01jd0000000000000000000000', 1, 'new'],
      ['env_01jd0000000000000000000000', 1, 'none'],
    ]);
    t.same(
      served.ledger.clicks.map((click) => [click.subject_id, click.user_agent]),
      [[FOUND.id, 'first']],
    );
  });

  t.test(`${kind}: a link that reaches the store while the database fails to answer in time is served`, async (t) => {
    const held = heldLookUp();
    const served = await started(t, kind, { lookUp: held.lookUp });
    const waiting = converse(served.port, request('/new'), { answers: 1 });
    await held.asked(1);
    served.links.set('new', FOUND);
    await held.answer(undefined, 1);
    t.equal((await waiting).answers[0]?.headers.get('location'), 'https://new.example/');
  });

  t.test(`${kind}: the facts of a waiting visitor stay while others are served`, async (t) => {
    const held = heldLookUp();
    const served = await started(t, kind, { lookUp: held.lookUp });
    const waiting = converse(served.port, request('/new', { 'User-Agent': 'waiting' }), { answers: 1 });
    await pause(20);
    await converse(served.port, request('/abc', { 'User-Agent': 'quick' }), { answers: 1 });
    await held.answer(FOUND, 1);
    t.equal((await waiting).answers[0]?.headers.get('location'), 'https://new.example/');
    t.same(
      served.ledger.clicks.map((click) => click.user_agent),
      ['quick', 'waiting'],
    );
  });

  t.test(`${kind}: a look-up that has no answer by its deadline, or that fails, is answered 503`, async (t) => {
    const served = await started(t, kind, {
      lookUp: (_id, _number, path) => (path === 'fails' ? Promise.reject(new Error('no database')) : new Promise(() => {})),
    });
    for (const path of ['/hangs', '/fails']) {
      const { answers } = await converse(served.port, request(path), { answers: 1 });
      t.equal(answers[0]?.status, 503, path);
      t.equal(answers[0]?.headers.get('retry-after'), '1');
    }
    t.equal(served.ledger.clicks.length, 0);
  });

  t.test(`${kind}: a visitor who leaves while waiting is not a click and gets no answer`, async (t) => {
    const held = heldLookUp();
    const served = await started(t, kind, { lookUp: held.lookUp });
    const leaving = connect(served.port, '127.0.0.1');
    leaving.write(request('/new'));
    await held.asked(1);
    leaving.destroy();
    await until(() => served.host.stats().figures.of('aborted') === 1, 'the visitor to have left');
    await held.answer(FOUND, 1);
    await pause(10);
    t.equal(served.ledger.clicks.length, 0);
    t.equal(served.host.stats().figures.of('failed'), 0);
  });

  t.test(`${kind}: no more visitors wait at a time than the limit`, async (t) => {
    const held = heldLookUp();
    const served = await started(t, kind, { lookUp: held.lookUp });
    const many = Array.from({ length: PENDING_VISITS_MAX + 20 }, () =>
      converse(served.port, request('/new'), { answers: 1, waitMs: 10_000 }),
    );
    await pause(40);
    await Promise.all([held.answer(FOUND, 1), pause(400)]);
    const statuses = (await Promise.all(many)).map((conversation) => conversation.answers[0]?.status);
    t.equal(statuses.filter((status) => status === undefined).length, 0, 'every visitor is answered');
    t.ok(statuses.every((status) => status === 302 || status === 503));
  });

  t.test(`${kind}: requests after a waiting one on its connection are never answered out of order`, async (t) => {
    const held = heldLookUp();
    const served = await started(t, kind, { lookUp: held.lookUp });
    const conversation = converse(served.port, request('/new') + request('/abc'), { answers: 2, waitMs: 500 });
    await pause(30);
    await Promise.race([held.answer(FOUND, 1), pause(100)]);
    const locations = (await conversation).answers.map((answer) => answer.headers.get('location'));
    t.ok(locations.length === 0 || locations[0] === 'https://new.example/', 'the connection is closed, or the answers are in order');
  });

  t.test(`${kind}: an exception gives a 500 page to its visitor alone, and is counted`, async (t) => {
    const served = await started(t, kind);
    served.ledger.fault = () => {
      throw new Error('broken');
    };
    const { answers } = await converse(served.port, request('/abc') + request('/robots.txt'), { answers: 2 });
    t.same(
      answers.map((answer) => answer.status),
      [500, 200],
    );
    t.notMatch(answers[0]?.body.toString(), /broken/, 'the page does not show the cause');
    t.equal(served.host.stats().figures.of('failed'), 1);
    served.ledger.fault = null;
    t.equal((await converse(served.port, request('/abc'), { answers: 1 })).answers[0]?.status, 302);
  });

  t.test(`${kind}: with a full spool visitors are still redirected, and dropped clicks are counted`, async (t) => {
    const served = await started(t, kind);
    served.ledger.fault = () => false;
    t.equal((await converse(served.port, request('/abc'), { answers: 1 })).answers[0]?.status, 302);
    t.equal(served.host.stats().figures.clicks_dropped, 1);
    t.equal(served.host.stats().figures.clicks, 0);
  });

  t.test(`${kind}: if the store fails the database answers`, async (t) => {
    const served = await started(t, kind, { lookUp: async () => FOUND });
    served.config.failure = new Error('MDB_CORRUPTED');
    const { answers } = await converse(served.port, request('/abc'), { answers: 1 });
    t.equal(answers[0]?.headers.get('location'), 'https://new.example/');
    t.equal(served.host.stats().figures.store_failures, 1);
  });

  t.test(`${kind}: a planted destination with a line break is never written to a header`, async (t) => {
    const served = await started(t, kind);
    const planted = 'https://shop.example/\r\nSet-Cookie: a=b';
    served.links.set('abc', linkRecord({ destinations: { ...NO_DESTINATIONS, web: planted } }));
    const { answers, bytes } = await converse(served.port, request('/abc'), { answers: 1 });
    t.notMatch(bytes.toString('latin1'), /Set-Cookie/i);
    t.equal(
      answers[0]?.headers.get('location'),
      'https://shop.example/',
      'the destination counts as absent, so the default takes its place',
    );
  });

  t.test(`${kind}: a client that sends requests and reads no answers is cut off or has to wait, and others are still served`, async (t) => {
    const served = await started(t, kind);
    const deaf = connect(served.port, '127.0.0.1');
    t.teardown(() => deaf.destroy());
    deaf.on('error', () => {});
    deaf.pause();
    // The answers to all of them are larger than the buffers of the kernel and the listener together.
    deaf.write(request('/no-link.txt').repeat(20_000));
    // node:http stops reading until its answers are read.
    const { figures } = served.host.stats();
    const ended = () => figures.of('not_found') > 0 && served.host.stats().connections === 0;
    if (kind === 'uws') await until(ended, 'the end of the connection');
    t.equal((await converse(served.port, request('/abc'), { answers: 1 })).answers[0]?.status, 302);
    t.equal(served.host.stats().figures.of('failed'), 0);
  });

  t.test(`${kind}: a drain refuses new connections, ends busy ones after their answer and idle ones at the deadline`, async (t) => {
    const held = heldLookUp();
    const served = await started(t, kind, { lookUp: held.lookUp });
    const idle = converse(served.port, request('/abc'), { waitMs: 5000 });
    const busy = converse(served.port, request('/new'), { answers: 1, waitMs: 5000 });
    await held.asked(1);
    await until(() => served.host.stats().connections === 2, 'both connections');
    const began = performance.now();
    const stopped = served.stop(300);
    await held.answer(FOUND, 1);
    const answer = (await busy).answers[0];
    t.equal(answer?.status, 302);
    t.match(answer?.headers.get('connection') ?? '', /close/i);
    await stopped;
    t.ok((await idle).closed);
    t.ok(performance.now() - began < 4500, 'the drain has a deadline: the idle client would have stayed for 5 s');
    const late = await converse(served.port, request('/abc'), { waitMs: 500 });
    t.equal(late.answers.length, 0);
  });
}
