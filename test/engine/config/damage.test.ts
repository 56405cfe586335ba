import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { openConfigWriter } from '../../../engine/store/config-writer.js';
import { storeFolder } from '../../../engine/store/copies.js';
import { readPointer } from '../../../engine/store/generations.js';
import { systemClock } from '../../../shared/base/clock.js';
import { build, dataPath, link, log, putLink } from '../store/store-fixture.js';

const LINKS = 2000;
/** The minimum number of rounds. The test goes on, up to `ROUNDS_MAX`, until a reader has reported damage to the writer. */
const ROUNDS = 4;
const ROUNDS_MAX = 24;
const AUDITOR = fileURLToPath(new URL('../../fixtures/store-auditor.js', import.meta.url));
/** Signals that LMDB's native code may end a reader with when it walks a damaged page. The supervisor then has the store rebuilt. */
const NATIVE_ENDS = ['SIGSEGV', 'SIGBUS', 'SIGABRT'];

t.test('whatever bits of the store are flipped, a reader never returns a wrong value', async (t) => {
  const dir = t.testdir();
  const writer = openConfigWriter(dir, log, systemClock);
  await build(
    writer,
    Array.from({ length: LINKS }, (_, n) => putLink(`p${n}`, link(`lnk_${n}`, `https://example.com/${n}`))),
  );
  await writer.close();
  const file = dataPath(dir);
  const good = readFileSync(file);
  const report = join(storeFolder(dir), `${readPointer(storeFolder(dir))}.suspect`);
  let noticed = 0;
  for (let round = 0; round < ROUNDS || (noticed === 0 && round < ROUNDS_MAX); round++) {
    const bad = Buffer.from(good);
    const flips = Array.from({ length: 30 }, () => 8192 + Math.floor(Math.random() * (good.length - 8192)));
    for (const at of flips) bad[at] = (bad[at] as number) ^ (1 << Math.floor(Math.random() * 8));
    writeFileSync(file, bad);
    const auditor = spawnSync(process.execPath, [AUDITOR, dir, String(LINKS)], { encoding: 'utf8' });
    if (auditor.signal !== null) {
      t.ok(NATIVE_ENDS.includes(auditor.signal), auditor.signal);
      continue;
    }
    t.equal(auditor.status, 0, auditor.stderr);
    const told = JSON.parse(auditor.stdout) as { wrong: number; missing: number };
    t.equal(told.wrong, 0, `flipped at ${flips.join(', ')}`);
    // A damaged branch page can also make a key look absent. The read-through answers for such a key, and the scrub finds the damage.
    if (!existsSync(report)) continue;
    noticed += 1;
    t.ok(told.missing > 0);
    rmSync(report);
  }
  t.ok(noticed > 0, 'at least one round of damage was reported to the writer');
});
