import dns from 'node:dns';
import { once } from 'node:events';
import {
  type AddressInfo,
  createServer,
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import t, { type Test } from 'tap';
import { TEST_SECRETS_KEYS } from '../../support/engine.js';
import { commandLine } from './command-line.js';

/** Commands whose first action is to connect, each in its own way. */
const COMMANDS = (dir: string) => ['migrate', 'migrate --plan', 'health', `spool ship --dir ${dir}`, 'project list'];

/** A server that refuses each session with the error, as PostgreSQL does (protocol 3.0, ErrorResponse). */
async function refusingServer(t: Test, code: string, message: string): Promise<string> {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4]);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([head, fields])));
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `postgres://someone@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
}

async function endsWithOneLine(t: Test, url: string, reason: RegExp): Promise<void> {
  const { run } = commandLine(t, url, TEST_SECRETS_KEYS);
  for (const command of COMMANDS(t.testdir())) {
    const { status, stderr } = await run(command);
    t.equal(status, 4, command);
    t.match(stderr, /^linkd: PostgreSQL cannot be reached; check DATABASE_URL: .*\n$/, command);
    t.match(stderr, reason, command);
  }
}

t.test('if PostgreSQL is away behind a name with two addresses, each command prints one line and ends with 4', async (t) => {
  const { lookup } = dns;
  const attemptTimeoutMs = getDefaultAutoSelectFamilyAttemptTimeout();
  t.teardown(() => {
    dns.lookup = lookup;
    setDefaultAutoSelectFamilyAttemptTimeout(attemptTimeoutMs);
  });
  // A busy machine may take longer than the default of 250 ms, and then the reason is another one.
  setDefaultAutoSelectFamilyAttemptTimeout(10_000);
  const both = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  type Found = (error: null, addresses: typeof both) => void;
  const found = (_name: string, _options: object, callback: Found) => process.nextTick(callback, null, both);
  dns.lookup = found as unknown as typeof dns.lookup;
  await endsWithOneLine(t, 'postgres://someone@two.example:1/none', /connect ECONNREFUSED 127\.0\.0\.1:1, connect E\w+ ::1:1/);
});

for (const [code, message] of [
  ['57P03', 'the database system is starting up'],
  ['53300', 'sorry, too many clients already'],
  ['28P01', 'password authentication failed for user "someone"'],
] as const)
  t.test(`if PostgreSQL refuses each session with ${code}, each command prints one line and ends with 4`, async (t) => {
    await endsWithOneLine(t, await refusingServer(t, code, message), new RegExp(message));
  });
