import t from 'tap';
import { BLOCKLIST_FORMATS, type BlocklistFormat, blocklistKeys, parseBlocklistLine } from '../../../shared/resolve/blocklist.js';
import fc from '../../support/properties.js';

/** The keys of the line, 'skipped', or the reason of the refusal. */
function read(format: BlocklistFormat, line: string): string[] | string {
  const parsed = parseBlocklistLine(format, line);
  return parsed.kind === 'entries' ? [...parsed.keys] : parsed.kind === 'skipped' ? 'skipped' : parsed.reason;
}

t.test('a line of a list becomes keys, is skipped or is refused with a reason', async (t) => {
  const urlhaus = (url: string) =>
    `"3","2030-01-01 00:00:00","${url}","online","2030-01-01","malware_download","a,b","https://urlhaus.abuse.ch/url/3/","x"`;
  const table: [BlocklistFormat, string, string[] | string][] = [
    ['hosts', '', 'skipped'],
    ['hosts', '# comment', 'skipped'],
    ['hosts', '0.0.0.0 bad.example', ['bad.example']],
    ['hosts', '127.0.0.1\tBAD.example other.example # why', ['bad.example', 'other.example']],
    ['hosts', ':: bad.example', ['bad.example']],
    ['hosts', '127.0.0.1 localhost', 'skipped'],
    ['hosts', 'fe80::1%lo0 localhost', 'skipped'],
    ['hosts', '0.0.0.0 0.0.0.0', 'skipped'],
    ['hosts', '127.0.0.1 localhost bad.example', ['bad.example']],
    ['hosts', '\ufeff0.0.0.0 bad.example', ['bad.example']],
    ['hosts', '0.0.0.0 bad.example\r', ['bad.example']],
    ['hosts', 'bad.example', 'malformed'],
    ['hosts', '0.0.0.0', 'malformed'],
    ['hosts', '0.0.0.0 bad/example', 'malformed'],
    ['hosts', '0.0.0.0 com', 'public_suffix'],
    ['plain', '', 'skipped'],
    ['plain', '! comment', 'skipped'],
    ['plain', '; comment', 'skipped'],
    ['plain', ' bad.example. ', ['bad.example']],
    ['plain', '*.bad.example', ['bad.example']],
    ['plain', '.bad.example', ['bad.example']],
    ['plain', 'bad.example # why', ['bad.example']],
    ['plain', 'bad.example worse.example', 'malformed'],
    ['plain', 'bücher.example', ['xn--bcher-kva.example']],
    ['plain', '192.0.2.1', ['192.0.2.1']],
    ['plain', '0xc0000201', ['192.0.2.1']],
    ['plain', '2001:db8::1', ['[2001:db8::1]']],
    ['plain', 'bad.example:8080', 'malformed'],
    ['plain', 'user@bad.example', 'malformed'],
    ['plain', 'bad..example', 'malformed'],
    ['plain', 'co.uk', 'public_suffix'],
    ['plain', '*.com', 'public_suffix'],
    ['plain', 'a.github.io', ['a.github.io']],
    ['plain', 'github.io', ['github.io']],
    ['plain', 'http://bad.example', ['bad.example/']],
    ['plain', 'HTTPS://Bad.Example:443/A?b#c', ['bad.example/A?b']],
    ['plain', 'http://bad.example:8080/a', ['bad.example:8080/a']],
    ['plain', 'http://', 'malformed'],
    ['plain', 'ftp://bad.example/', 'malformed'],
    ['urlhaus', '# id,dateadded,url,...', 'skipped'],
    ['urlhaus', 'id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter', 'skipped'],
    ['urlhaus', urlhaus('http://192.0.2.1:80/bin.sh'), ['192.0.2.1/bin.sh']],
    ['urlhaus', urlhaus('http://bad.example/a?q=""x"",y'), ['bad.example/a?q=%22x%22,y']],
    ['urlhaus', urlhaus('javascript:alert(1)'), 'malformed'],
    ['urlhaus', '"3","2030","http://bad.example/"', 'malformed'],
    ['urlhaus', '"3","2030","http://bad.example/,"online","","","","",""', 'malformed'],
    ['plain', 'a'.repeat(10_000), 'malformed'],
  ];
  for (const [format, line, wanted] of table) t.same(read(format, line), wanted, `${format}: ${line.slice(0, 80)}`);
});

/** The first of the destination's keys that is in `keys`, longest host first; null if there is none. */
function listedAs(keys: readonly string[], destination: string): string | null {
  return blocklistKeys(destination).find((key) => keys.includes(key)) ?? null;
}

t.test('a listed host covers every name below it, and a listed URL only itself', async (t) => {
  const keys = ['bad.example', '192.0.2.1', 'mixed.example/dir/x?y', '[2001:db8::1]'];
  const table: [string, string | null][] = [
    ['https://bad.example/', 'bad.example'],
    ['http://BAD.example.:8080/x', 'bad.example'],
    ['https://a.b.bad.example/x?y', 'bad.example'],
    ['https://notbad.example/', null],
    ['https://bad.example.org/', null],
    ['https://example/', null],
    ['https://good.example/bad.example', null],
    ['https://bad.example@good.example/', null],
    ['https://good.example@bad.example/', 'bad.example'],
    ['http://0xc0000201/', '192.0.2.1'],
    ['http://1.192.0.2.1.example/', null],
    ['http://[2001:DB8:0::1]/', '[2001:db8::1]'],
    ['http://mixed.example/dir/x?y#z', 'mixed.example/dir/x?y'],
    ['https://mixed.example:443/dir/./x?y', 'mixed.example/dir/x?y'],
    ['https://mixed.example/dir/x', null],
    ['https://a.mixed.example/dir/x?y', null],
    ['https://bad.example/{id}', 'bad.example'],
    ['bad://bad.example/', null],
    ['no url', null],
  ];
  for (const [url, wanted] of table) t.equal(listedAs(keys, url), wanted, url);
});

const label = fc.string({ unit: fc.constantFrom(...'abc1'), minLength: 1, maxLength: 4 });

t.test('a host is found exactly if it equals a listed host or is a name below it', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(label, { minLength: 1, maxLength: 2 }), { maxLength: 6 }),
      fc.array(label, { minLength: 1, maxLength: 4 }),
      (listed, host) => {
        const names = listed.map((labels) => [...labels, 'example'].join('.'));
        const name = [...host, 'example'].join('.');
        const wanted = names.some((each) => `.${name}`.endsWith(`.${each}`));
        return (listedAs(names, `https://${name}/x`) !== null) === wanted;
      },
    ),
    { numRuns: 3000 },
  );
});

t.test('every URL that is listed is found, and no line gives an empty key', async () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] }), (url) => {
      const parsed = parseBlocklistLine('plain', url);
      return parsed.kind === 'entries' && listedAs(parsed.keys, url) !== null;
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.constantFrom(...BLOCKLIST_FORMATS), fc.string({ unit: 'binary', maxLength: 60 }), (format, line) => {
      const parsed = parseBlocklistLine(format, line);
      return parsed.kind !== 'entries' || parsed.keys.every((key) => key !== '' && !key.startsWith('/'));
    }),
    { numRuns: 5000 },
  );
});

t.test('the keys of a destination are its host, each parent name and the URL', async (t) => {
  t.same(blocklistKeys('https://a.b.example/x?y'), ['a.b.example', 'b.example', 'example', 'a.b.example/x?y']);
});
