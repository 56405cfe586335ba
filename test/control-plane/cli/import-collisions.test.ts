import t from 'tap';
import { importTarget } from './import-target.js';

const { client, environment, imported, linksOf, run, fileOf } = await importTarget(t);

let domains = 0;
async function verifiedDomain(environmentId: string, hostname: string): Promise<void> {
  await client.query(
    `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
     VALUES ($1, $2, $3, 'verified', 'x', now(), now())`,
    [`dom_${++domains}`, environmentId, hostname],
  );
}

const bitly = (id: string, custom = '') => `Bitlink,Long URL,Custom Bitlinks\n${id},https://shop.example/second,${custom}\n`;

t.test('an alias with the address of an existing link fails', async (t) => {
  const { id, host } = await environment();
  await verifiedDomain(id, 'go.acme.example');
  await verifiedDomain(id, 'www.acme.example');
  await imported(['csv', '--env', id], 'path,web\ntaken,https://shop.example/first\n');
  const shown = 'path,domain,web\nshown,go.acme.example,https://shop.example/first\n';
  t.match(await imported(['csv', '--env', id], shown), [{ outcome: 'created', url: 'https://go.acme.example/shown' }]);
  const wrong = 'path,web\ntaken,https://shop.example/second\nnew,not a url\n';
  t.strictSame(
    (await imported(['csv', '--env', id], wrong)).map(({ reason }) => reason),
    ['The path "taken" is taken.', '/destinations/web: A destination must be an absolute URL such as https://example.com/.'],
  );
  const attempt = (text: string, ...domain: readonly string[]) =>
    imported(['bitly', '--env', id, '--on-collision', 'alias', ...domain.flatMap((pair) => ['--domain', pair])], text);
  const failed = async (reason: RegExp, lines: ReturnType<typeof attempt>) =>
    t.match(await lines, [{ outcome: 'failed', reason }], String(reason));
  await failed(/"taken" is taken.* no host here replaces bit.ly/, attempt(bitly('bit.ly/taken')));
  await failed(new RegExp(`The alias ${host}/taken is taken`), attempt(bitly('bit.ly/taken'), `bit.ly=${host}`));
  await failed(/alias go.acme.example\/shown is taken/, attempt(bitly('bit.ly/shown'), 'bit.ly=go.acme.example'));
  await failed(/alias \S+\/taken is taken/, attempt(bitly('bit.ly/other', 'bit.ly/taken')));
  t.equal((await linksOf({ id })).length, 2, 'no link was made');
  t.match(await attempt(bitly('bit.ly/taken'), 'bit.ly=go.acme.example'), [{ outcome: 'aliased' }]);
  t.match(await attempt(bitly('bit.ly/taken'), 'bit.ly=go.acme.example'), [{ outcome: 'exists' }], 'a second run finds the link');
  t.match(await attempt(bitly('bit.ly/shown'), 'bit.ly=www.acme.example'), [{ outcome: 'aliased' }]);
});

t.test('--domain accepts international names in both forms and in capitals', async (t) => {
  const { id } = await environment();
  await verifiedDomain(id, 'xn--bcher-kva.example');
  for (const [at, [old, from]] of [
    ['Straße.example=BÜCHER.example', 'straße.example'],
    ['xn--strae-oqa.example=xn--bcher-kva.example', 'STRASSE.example'.replace('SS', 'ß')],
    ['straße.example=bücher.example', 'xn--strae-oqa.example'],
  ].entries())
    t.match(await imported(['bitly', '--env', id, '--domain', old as string], bitly(`${from}/p${at}`)), [
      { outcome: 'created', url: `https://xn--bcher-kva.example/p${at}` },
    ]);
  const file = fileOf('links.csv', 'path\na\n');
  const { stderr } = await run(['import', 'csv', '--env', id, '--file', file, '--domain', 'bit.ly=']);
  t.match(stderr, /is not a pair/);
});

t.test('for addresses that repeat thousands of rows later, a dry run reports the same as the import', async (t) => {
  const { id } = await environment();
  await verifiedDomain(id, 'late.acme.example');
  const row = (path: string, web: string, aliases = '') => `${path},${web},2021-01-01T00:00:00Z,"${aliases}"\n`;
  const between = Array.from({ length: 2100 }, (_, at) => row(`filler-${at}`, 'https://shop.example/filler')).join('');
  const first = row('one', 'https://shop.example/one') + row('two', 'https://shop.example/two', 'late.acme.example/x/1');
  const again = [
    row('one', 'https://shop.example/one'),
    row('one', 'https://shop.example/other'),
    row('three', 'https://shop.example/three', 'late.acme.example/x/1'),
    row('four', 'https://shop.example/four', 'bit.ly/one'),
    row('five', 'https://shop.example/five', 'late.acme.example/one'),
  ];
  const outcomes = async (...more: readonly string[]) => {
    const lines = await imported(['csv', '--env', id, ...more], `path,web,created_at,aliases\n${first}${between}${again.join('')}`);
    return lines.slice(-again.length).map(({ outcome, reason }) => [outcome, reason]);
  };
  const tried = await outcomes('--dry-run');
  t.same(await linksOf({ id }), []);
  t.match(tried, [
    ['exists'],
    ['failed', /taken/],
    ['failed', /alias .* is taken/],
    ['failed', /The alias \S+ is taken/],
    ['created', null],
  ]);
  t.same(await outcomes(), tried);
});
