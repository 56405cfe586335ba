import t, { type Test } from 'tap';
import { PASSWORD_CHARACTERS_MAX } from '../../../../shared/base/limits.js';
import { linkOfRow, linksFrom, ONE_LINK } from '../source-service.js';

async function read(t: Test, source: string, more: object) {
  const [link] = await linksFrom(t, source, ONE_LINK[source]?.(more) ?? (() => []));
  return link;
}

t.test('a link that its source disables, bans or protects by an unreadable password is disabled', async (t) => {
  for (const [source, more, lost] of [
    ['rebrandly', { status: 'inactive' }, ['status']],
    ['rebrandly', { password: 'hidden' }, ['password']],
    ['kutt', { banned: true }, ['banned']],
    ['kutt', { password: true }, ['password']],
    ['dub', { password: 'x'.repeat(129) }, ['password']],
    ['dub', { disabledAt: '2026-01-01T00:00:00.000Z' }, []],
  ] as const)
    t.match(await read(t, source, more), { disabled: true, lost }, `${source} ${JSON.stringify(more)}`);
  for (const [source, more] of [
    ['rebrandly', { status: 'active', password: null }],
    ['kutt', { banned: false, password: false }],
    ['dub', { password: null, disabledAt: null }],
  ] as const)
    t.match(await read(t, source, more), { disabled: undefined, lost: [] }, source);
});

t.test('Dub: a password is imported from the API and from its CSV', async (t) => {
  t.match(await read(t, 'dub', { password: 'sesame' }), { disabled: undefined, lost: [], fields: { password: 'sesame' } });
  t.match(linkOfRow('dub', { domain: 'dub.sh', key: 'a', password: 'sesame' }), { lost: [], fields: { password: 'sesame' } });
  const longest = '🔑'.repeat(PASSWORD_CHARACTERS_MAX);
  t.match(
    await read(t, 'dub', { password: longest }),
    { lost: [], fields: { password: longest } },
    'characters are counted as the API does',
  );
});

t.test('Shlink: used visits are subtracted from the limit, and a link without any left is disabled', async (t) => {
  const meta = { maxVisits: 10 };
  t.match(await read(t, 'shlink', { meta }), { disabled: undefined, lost: [], fields: { max_clicks: 10 } });
  t.match(await read(t, 'shlink', { meta, visitsSummary: { total: 4 } }), { disabled: undefined, fields: { max_clicks: 6 } });
  t.match(await read(t, 'shlink', { meta, visitsCount: 4 }), { fields: { max_clicks: 6 } });
  for (const total of [10, 11]) {
    const link = await read(t, 'shlink', { meta, visitsSummary: { total } });
    t.match(link, { disabled: true, lost: ['max_clicks'], clicks: [{ clicks: total }] });
    t.notOk(link?.fields.max_clicks);
  }
});
