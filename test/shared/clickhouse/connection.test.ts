import type { ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { ClickHouse } from '../../../shared/clickhouse/connection.js';
import { serveHttp } from '../../support/serve-http.js';

type Answer = (response: ServerResponse, asked: URLSearchParams) => void;

const TIMEOUT_MS = 500;
/** A statement ends by itself a second after the server should have ended it. */
const ENDS_WITHIN_MS = TIMEOUT_MS + 1_000 + 500;

/** Opens a server that answers every statement in this way. */
async function openServer(t: Test, answer: Answer, connections?: number): Promise<ClickHouse> {
  const { origin } = await serveHttp(t, (request, response) => {
    request.resume().on('end', () => answer(response, new URL(request.url ?? '/', 'http://server').searchParams));
  });
  const clickHouse = new ClickHouse({
    url: origin,
    timeoutMs: TIMEOUT_MS,
    application: 'test',
    ...(connections === undefined ? {} : { connections }),
  });
  t.teardown(() => clickHouse.close());
  return clickHouse;
}

const unavailable = (message: RegExp) => ({ name: 'ClickHouseUnavailableError', message });
const insert = (clickHouse: ClickHouse) => clickHouse.insert('INSERT INTO clicks FORMAT RowBinary', [Buffer.from('row')], 'token');

/** The name and the message of the error, and after how many milliseconds. */
async function failureOf(call: Promise<unknown>) {
  const beganAt = performance.now();
  const { name, message } = await call.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );
  return { name, message, ms: performance.now() - beganAt };
}

t.test('a SELECT that fails after its first rows has no rows', async (t) => {
  const failure = 'Code: 241. DB::Exception: Memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED) (version 25.3.2.39)';
  const clickHouse = await openServer(t, (response, asked) => {
    // As servers up to 25.10 do: the failure is the last row of an answer that has begun.
    response.statusCode = asked.get('wait_end_of_query') === '1' ? 500 : 200;
    response.end(`{"id":"1"}\n${JSON.stringify({ exception: failure })}\n`);
  });
  await t.rejects(clickHouse.rows('SELECT id'), unavailable(/Memory limit exceeded/));
});

t.test('an answer that ends within a row has no rows', async (t) => {
  const clickHouse = await openServer(t, (response) => response.end('{"id":"1"}\n{"id":"2"'));
  await t.rejects(clickHouse.rows('SELECT id'), unavailable(/ends within a row/));
});

t.test('an empty answer to a SELECT that has a row is not taken for ClickHouse’s', async (t) => {
  const clickHouse = await openServer(t, (response) => response.end());
  t.same(await clickHouse.rows('SELECT id'), []);
  await t.rejects(clickHouse.row('SELECT count()'), unavailable(/empty/));
});

t.test('an insertion that is answered with a text has failed', async (t) => {
  const clickHouse = await openServer(t, (response) => response.end('<html>Sign in</html>\n'));
  await t.rejects(insert(clickHouse), unavailable(/Sign in/));
});

t.test('a server that keeps sending does not keep a statement from ending', async (t) => {
  const clickHouse = await openServer(t, (response) => {
    const sending = setInterval(() => response.write('{"id":"1"}\n'), 50);
    response.on('close', () => clearInterval(sending));
  });
  for (const call of [() => clickHouse.rows('SELECT id'), () => clickHouse.run('ALTER TABLE clicks'), () => insert(clickHouse)]) {
    const { ms, ...failure } = await failureOf(call());
    t.match(failure, unavailable(/no answer within 1500 ms/));
    t.ok(ms < ENDS_WITHIN_MS, `${ms} ms`);
  }
});

t.test('a SELECT whose answer has begun can be aborted', async (t) => {
  const clickHouse = await openServer(t, (response) => response.write('{"id":"1"}\n'));
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 100);
  const { name, ms } = await failureOf(clickHouse.rows('SELECT id', {}, abort.signal));
  t.equal(name, 'ClickHouseUnavailableError');
  t.ok(ms < TIMEOUT_MS, `${ms} ms`);
});

t.test('statements that wait for a connection end in time as well', async (t) => {
  const clickHouse = await openServer(t, () => {}, 1);
  const failures = await Promise.all([1, 2, 3].map(() => failureOf(clickHouse.rows('SELECT id'))));
  for (const { name, ms } of failures) {
    t.equal(name, 'ClickHouseUnavailableError');
    t.ok(ms < ENDS_WITHIN_MS, `${ms} ms`);
  }
});

t.test('a server that answers nothing is noticed before it is sent a statement that may take an hour', async (t) => {
  let answers = false;
  const statements: string[] = [];
  const { origin } = await serveHttp(t, (request, response) => {
    request.on('data', (text) => statements.push(String(text))).on('end', () => answers && response.end());
  });
  const clickHouse = new ClickHouse({ url: origin, timeoutMs: 3_600_000, firstAnswerMs: 200, application: 'test' });
  t.teardown(() => clickHouse.close());
  await t.rejects(clickHouse.run('OPTIMIZE TABLE clicks'), unavailable(/no answer within 200 ms/));
  answers = true;
  for (const table of ['clicks', 'click_sums']) await clickHouse.run(`OPTIMIZE TABLE ${table}`);
  t.same(statements, ['SELECT 1', 'SELECT 1', 'OPTIMIZE TABLE clicks', 'OPTIMIZE TABLE click_sums']);
});

t.test('what ClickHouse reports is not called unreachable, and only a fault of the statement is one of the service', async (t) => {
  let reported = '';
  const clickHouse = await openServer(t, (response) => {
    response.statusCode = 500;
    response.end(reported);
  });
  reported = `Code: 47. DB::Exception: Unknown expression identifier 'city'. (UNKNOWN_IDENTIFIER) (version 26.7.1.1)`;
  await t.rejects(clickHouse.rows('SELECT city'), unavailable(/^ClickHouse reports: Unknown expression identifier 'city'\.$/));
  reported = 'Code: 516. DB::Exception: user: Authentication failed. (AUTHENTICATION_FAILED) (version 26.7.1.1)';
  await t.rejects(insert(clickHouse), unavailable(/^ClickHouse reports: user: Authentication failed\.$/));
  reported = 'Code: 62. DB::Exception: Syntax error: failed at position 1. (SYNTAX_ERROR) (version 26.7.1.1)';
  await t.rejects(clickHouse.rows('SELEKT'), { code: '62' });
});
