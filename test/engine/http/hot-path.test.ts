import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { createLinkIndexKeeper } from '../../../engine/link-index/keeper.js';
import { openConfigWriter } from '../../../engine/store/config-writer.js';
import { systemClock } from '../../../shared/base/clock.js';
import type { LinkRecord } from '../../../shared/records/records.js';
import { until } from '../../support/until.js';
import { build, environment, link, log, putEnvironment, putLink } from '../store/store-fixture.js';

const FIXTURE = fileURLToPath(new URL('../../fixtures/steady-visits.js', import.meta.url));

/** Typical links: with and without UTM fields, passthrough, an expiry, and texts beyond ASCII. */
function linkOf(n: number): LinkRecord {
  const plain = link(`lnk_${String(n).padStart(26, '0')}`, `https://example.com/item/${n}`);
  return {
    ...plain,
    allow_param_passthrough: n % 5 === 0,
    expires_at_ms: n % 7 === 0 ? 4e12 : 0,
    deep_link_path: n % 11 === 0 ? '/é' : `/item/${n}`,
    utm: n % 4 === 0 ? { utm_source: 'mail', utm_medium: null, utm_campaign: 'spring', utm_term: null, utm_content: null } : null,
  };
}

async function storeWithIndex(dir: string): Promise<void> {
  const writer = openConfigWriter(dir, log, systemClock);
  await build(writer, [putEnvironment(environment(1)), ...Array.from({ length: 100 }, (_, n) => putLink(`p${n}`, linkOf(n)))]);
  const keeper = createLinkIndexKeeper({ store: writer, log });
  keeper.start();
  await until(() => keeper.stats().state === 'following', 'a link index');
  keeper.stop();
  await writer.close();
}

async function run(flag: string, dir: string, mode: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [flag, FIXTURE, dir, mode], { maxBuffer: 2 ** 28, timeout: 60_000 });
  return stdout;
}

t.test('the objects of a visit have one shape each, for every link and visitor', async (t) => {
  const dir = t.testdir();
  await storeWithIndex(dir);
  t.same(JSON.parse(await run('--allow-natives-syntax', dir, 'shapes')), []);
});

t.test('after warming up, a steady run of visits is never deoptimised', async (t) => {
  const dir = t.testdir();
  await storeWithIndex(dir);
  const output = await run('--trace-deopt', dir, 'steady');
  const steady = output.slice(output.indexOf('\nwarm\n'), output.indexOf('\ndone\n'));
  t.match(output, '\ndone\n');
  t.same(
    steady.split('\n').filter((line) => line.includes('bailout') || line.includes('deoptimizing')),
    [],
  );
});
