import t from 'tap';
import { ListedLinks } from '../../../../control-plane/imports/sources/listed-links.js';
import { linksFrom } from '../source-service.js';

const IDS = Array.from({ length: 1_001 }, (_, at) => `l${at}`);

type Listing = (offset: number, size: number) => readonly string[];
const inOrder: Listing = (offset, size) => IDS.slice(offset, offset + size);
/** Sorts the two links at the end of the first page differently for each page, as a database may do if their times are equal. */
const tied: Listing = (offset, size) => {
  const ids = [...IDS];
  if (offset === size) [ids[size - 1], ids[size]] = [ids[size] as string, ids[size - 1] as string];
  return ids.slice(offset, offset + size);
};
/** A link of the first page is deleted after that page has been read, so that the later links move up. */
const deleted: Listing = (offset, size) => (offset === 0 ? IDS : IDS.slice(1)).slice(offset, offset + size);

type Service = (list: Listing, total: (offset: number) => number) => (url: URL) => unknown;
const number = (url: URL, name: string) => Number(url.searchParams.get(name));
const SERVICES: Readonly<Record<string, Service>> = {
  kutt: (list, total) => (url) => ({
    data: list(number(url, 'skip'), 50).map((address) => ({ address, link: `https://k.test/${address}`, target: 'https://shop.example/' })),
    total: total(number(url, 'skip')),
  }),
  shlink: (list, total) => (url) => {
    const offset = (number(url, 'page') - 1) * 500;
    const data = list(offset, 500).map((shortCode) => ({ shortCode, longUrl: 'https://shop.example/', domain: 's.test' }));
    return { shortUrls: { data, pagination: { pagesCount: 3, totalItems: total(offset) } } };
  },
  dub: (list, total) => {
    let counted = 0;
    return (url) => {
      if (url.pathname === '/links/count') return total(counted++);
      if (url.pathname === '/folders') return [];
      return list((number(url, 'page') - 1) * 100, 100).map((key) => ({ domain: 'd.test', key, url: 'https://shop.example/' }));
    };
  },
};

t.test('an import fails if a service repeats some links and omits others', async (t) => {
  for (const [name, service] of Object.entries(SERVICES)) {
    t.equal(
      (
        await linksFrom(
          t,
          name,
          service(inOrder, () => IDS.length),
        )
      ).length,
      IDS.length,
      name,
    );
    await t.rejects(
      linksFrom(
        t,
        name,
        service(tied, () => IDS.length),
      ),
      { name: 'MissingLinksError', message: /^1 of 1001 links are missing/ },
      `${name}: ties`,
    );
    await t.rejects(
      linksFrom(
        t,
        name,
        service(deleted, (offset) => (offset === 0 ? 1001 : 1000)),
      ),
      { message: /^1 of 1001 links are missing/ },
      `${name}: a link was deleted meanwhile`,
    );
  }
});

t.test('links of Shlink are requested in an order without ties', async (t) => {
  await linksFrom(t, 'shlink', (url) => {
    t.equal(url.searchParams.get('orderBy'), 'shortCode-ASC');
    return { shortUrls: { data: [], pagination: { pagesCount: 1, totalItems: 0 } } };
  });
});

t.test('a repeated link is given once, and more links than announced are no error', async (t) => {
  const listed = new ListedLinks();
  listed.ofTotal(1);
  listed.ofTotal(undefined);
  t.same(
    ['a', 'b', 'a'].map((id) => listed.isNew({ id })),
    [true, true, false],
  );
  t.doesNotThrow(() => listed.end());
  listed.ofTotal(3);
  listed.ofTotal(2);
  t.throws(() => listed.end(), { message: /^1 of 3 / });
});
