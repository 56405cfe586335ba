import t, { type Test } from 'tap';
import { ofObject } from '../../../../control-plane/imports/sources/own.js';
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
    ['bitly', { is_deleted: true }, ['is_deleted']],
    // Such a time may be past, or still to come.
    ['rebrandly', { expiredAt: '31/12/2020' }, ['expires_at']],
    ['dub', { expiresAt: 'Dec 31, 2020' }, ['expires_at']],
    ['kutt', { expire_in: 44196 }, ['expires_at']],
    ['shlink', { meta: { validSince: '31.12.2090' } }, ['active_from']],
    ['shlink', { meta: { validUntil: '31.12.2020' } }, ['expires_at']],
  ] as const)
    t.match(await read(t, source, more), { disabled: true, lost }, `${source} ${JSON.stringify(more)}`);
  for (const [source, more] of [
    ['rebrandly', { status: 'active', password: null }],
    ['kutt', { banned: false, password: false }],
    ['dub', { password: null, disabledAt: null }],
  ] as const)
    t.match(await read(t, source, more), { disabled: undefined, lost: [] }, source);
});

t.test(
  'a link of a file is disabled if nobody can read when it begins or ends to work, and it is imported as it is if it never does',
  async (t) => {
    for (const name of ['active_from', 'expires_at'])
      for (const [time, disabled] of [
        ...([...['31/12/2020', '44196', 'soon', '2020-02-30', '2020-12-31T10:00:00 Europe/Berlin'].map((wrong) => [wrong, true])] as const),
        ...([...['never', 'None', 'NULL', 'n/a', '-', '0', '0000-00-00 00:00:00'].map((none) => [none, undefined])] as const),
      ]) {
        const row = { path: 'a', web: 'https://shop.example/', [name]: String(time) };
        const isLost = disabled === true || name === 'active_from';
        for (const link of [linkOfRow('csv', row), ofObject(row, 1)])
          t.same([link.disabled, link.lost.includes(name)], [disabled, isLost], `${name} ${time}`);
        const [dub] = await linksFrom(t, 'dub', ONE_LINK.dub?.({ expiresAt: time }) ?? (() => []));
        t.match(dub, { disabled, lost: disabled === true ? ['expires_at'] : [] }, `Dub: ${time}`);
      }
    for (const time of [44_196, true, {}]) t.equal(ofObject({ path: 'a', expires_at: time }, 1).disabled, true);
    for (const time of ['2020-12-31', '2020-12-31T10:00:00.123456Z', '1609408800', '', ' '])
      t.match(linkOfRow('csv', { path: 'a', expires_at: time }), { disabled: undefined, lost: [] }, time);
  },
);

t.test('a link of a file that had not begun to work is disabled if the file does not say when it begins', async (t) => {
  const row = { path: 'a', web: 'https://shop.example/', status: 'scheduled' };
  t.match(linkOfRow('csv', row), { disabled: true, lost: ['active_from'] });
  t.match(ofObject(row, 1), { disabled: true });
  t.match(linkOfRow('csv', { ...row, active_from: '2020-01-01' }), { disabled: undefined, lost: [] }, 'it has begun since');
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
