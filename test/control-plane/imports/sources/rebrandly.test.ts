import t, { type Test } from 'tap';
import { linksFrom } from '../source-service.js';

const link = (id: string) => ({ id, slashtag: id, destination: 'https://shop.example/', domainName: 'rebrand.ly', status: 'active' });
const ids = (from: number, to: number, name: string) => Array.from({ length: to - from }, (_, at) => `${name}${from + at}`);

/** 30 workspaces with one link each, except the first, which has 60. Requests without a header read the links of the default workspace. */
async function read(t: Test, statusOf: (kind: string, workspace: string) => number) {
  const workspaces = ids(0, 30, 'w').map((id) => ({ id, name: `Workspace ${id}` }));
  const asked: string[] = [];
  const notes: string[] = [];
  const links = linksFrom(
    t,
    'rebrandly',
    ({ pathname, searchParams }, { workspace = '' }) => {
      const kind = pathname.replace('/v1/', '');
      const last = searchParams.get('last') ?? '';
      const items = kind === 'workspaces' ? workspaces : (workspace === 'w0' ? ids(0, 60, 'a') : [`of-${workspace}`]).map(link);
      const from = last === '' ? 0 : items.findIndex(({ id }) => id === last) + 1;
      asked.push(`${kind} ${workspace} ${last}`);
      return { status: statusOf(kind, String(workspace)), body: items.slice(from, from + Number(searchParams.get('limit'))) };
    },
    { onNote: (note) => notes.push(note) },
  );
  return { links: (await links).map(({ id }) => id), asked, notes };
}

t.test('Rebrandly: workspaces and their links are read page by page', async (t) => {
  const { links, asked, notes } = await read(t, () => 200);
  const others = ids(1, 30, 'of-w');
  t.same(
    links,
    [...ids(0, 60, 'a'), ...others].map((id) => `rebrand.ly/${id}`),
  );
  t.same(asked.slice(0, 5), ['workspaces  ', 'workspaces  w24', 'links w0 ', 'links w0 a24', 'links w0 a49']);
  t.same(notes, []);
});

t.test('Rebrandly: a key that may not list workspaces reads the default one, with a note', async (t) => {
  for (const status of [401, 403]) {
    const { links, notes } = await read(t, (kind) => (kind === 'workspaces' ? status : 200));
    t.same(links, ['rebrand.ly/of-']);
    t.match(notes, [/is not allowed to list workspaces/]);
  }
});

t.test('Rebrandly: the import fails if the key may not read the links of a workspace', async (t) => {
  const read12 = read(t, (_, workspace) => (workspace === 'w12' ? 403 : 200));
  await t.rejects(read12, { name: 'MissingLinksError', message: /of 1 workspaces could not be read \(Workspace w12: .* answers 403\)/ });
});

t.test('Rebrandly: a wrong key fails with the status of the answer', async (t) => {
  await t.rejects(
    read(t, () => 401),
    { name: 'SourceError', message: /answers 401/ },
  );
});
