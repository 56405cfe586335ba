import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { CertificateReloader, LOOK_MS } from '../../../engine/tls/certificate-reloader.js';
import { type CertificateSet, certificateFor } from '../../../engine/tls/certificate-set.js';
import { makeCertificate } from '../../support/certificates.js';
import { manualTimers } from '../../support/manual-scheduler.js';
import { until } from '../../support/until.js';

const FIRST = makeCertificate({ names: ['a.example'] });
const SECOND = makeCertificate({ names: ['b.example'] });
const RENEWED = makeCertificate({ names: ['a.example'], notAfter: new Date(Date.now() + 2 * 365 * 86_400_000) });

const pem = ({ certificate, key }: typeof FIRST) => certificate + key;

async function setUp(t: Test, files: Readonly<Record<string, string>> = { 'a.pem': pem(FIRST), 'b.pem': pem(SECOND) }, now = Date.now()) {
  const dir = t.testdir(files);
  const timers = manualTimers();
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const source = new CertificateReloader({ dir, clock: () => now, schedule: timers.schedule, log });
  const taken: CertificateSet[] = [];
  await source.start((set) => taken.push(set));
  t.teardown(() => source.stop());
  /** Waits until the folder has been read again. */
  const look = async () => {
    timers.advance(LOOK_MS);
    await until(() => timers.count() === 1, 'the folder to be read');
  };
  const write = (name: string, text: string) => {
    writeFileSync(join(dir, `${name}.new`), text);
    renameSync(join(dir, `${name}.new`), join(dir, name));
  };
  const presented = (host: string) => certificateFor(source.current as CertificateSet, host).chain;
  return { dir, source, taken, lines, look, write, presented };
}

t.test('a renewed certificate is used, and an unchanged folder changes nothing', async (t) => {
  const { source, taken, look, write, presented } = await setUp(t);
  t.equal(presented('a.example'), pem(FIRST));
  await look();
  t.equal(taken.length, 0);
  write('a.pem', pem(RENEWED));
  await look();
  t.equal(taken.length, 1);
  t.same([presented('a.example'), presented('b.example')], [pem(RENEWED), pem(SECOND)]);
  t.match(source.stats(), { certificates: 2, faults: 0 });
});

t.test('a broken file keeps the old certificate of its names and is logged once; other certificates are renewed meanwhile', async (t) => {
  const { source, lines, look, write, presented, taken } = await setUp(t);
  write('b.pem', 'half a fi');
  await look();
  await look();
  t.equal(presented('b.example'), pem(SECOND));
  t.match(source.trouble(), /b\.pem: it contains neither a certificate nor a private key$/);
  t.equal(lines.length, 1);
  t.equal(taken.length, 0, 'the presented certificates are unchanged');
  write('a.pem', pem(RENEWED));
  await look();
  t.same([presented('a.example'), presented('b.example')], [pem(RENEWED), pem(SECOND)]);
  write('b.pem', pem(SECOND));
  await look();
  t.equal(source.trouble(), '');
});

t.test('a certificate is used only after its key has arrived', async (t) => {
  const { source, look, write, presented } = await setUp(t, { 'a.crt': FIRST.certificate, 'a.key': FIRST.key });
  write('a.crt', RENEWED.certificate);
  await look();
  t.equal(presented('a.example'), FIRST.certificate);
  t.match(source.trouble(), /no private key in the folder matches/);
  write('a.key', RENEWED.key);
  await look();
  t.same([presented('a.example'), source.trouble()], [RENEWED.certificate, '']);
});

t.test('a deleted certificate is no longer used; an empty or missing folder changes nothing', async (t) => {
  const { dir, source, look, presented } = await setUp(t);
  rmSync(join(dir, 'b.pem'));
  await look();
  t.same([presented('b.example'), source.trouble()], [pem(FIRST), '']);
  rmSync(join(dir, 'a.pem'));
  await look();
  t.equal(presented('a.example'), pem(FIRST));
  t.match(source.trouble(), /it contains no certificate/);
  rmSync(dir, { recursive: true });
  await look();
  t.equal(presented('a.example'), pem(FIRST));
  t.match(source.trouble(), /it cannot be read: ENOENT/);
});

t.test('without any certificate nothing is presented until there is one', async (t) => {
  const { source, taken, look, write } = await setUp(t, {});
  t.equal(source.current, null);
  t.match(source.stats(), { certificates: 0, earliest_expiry_ms: null });
  write('a.pem', pem(FIRST));
  await look();
  t.equal(taken.length, 1);
});

t.test('an expired certificate is still presented and is reported', async (t) => {
  const { source, presented } = await setUp(t, { 'a.pem': pem(FIRST) }, Date.now() + 3 * 365 * 86_400_000);
  t.equal(presented('a.example'), pem(FIRST));
  t.match(source.trouble(), /the certificate for a\.example has expired/);
});
