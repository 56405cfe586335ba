import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { SourceRow } from '../../../../control-plane/imports/sources/source-row.js';
import { TAG_CHARACTERS_MAX, TAGS_OF_LINK_MAX } from '../../../../shared/base/limits.js';
import { linkOfRow, linksFrom, ONE_LINK } from '../source-service.js';

const AT = '2021-03-04T05:06:07.000Z';

/** How a value is read as the time of creation, and which columns are lost. */
async function readTime(t: Test, createdAt: unknown) {
  const [link] = await linksFrom(t, 'rebrandly', ONE_LINK.rebrandly?.({ createdAt }) ?? (() => []));
  return [link?.fields.created_at, link?.lost];
}

t.test('times are read with a zone, as UTC without one, and as seconds or milliseconds since 1970', async (t) => {
  const ms = Date.parse(AT);
  for (const time of [
    ...['2021-03-04T05:06:07Z', '2021-03-04T05:06:07+0000', '2021-03-04T07:06:07+02', '2021-03-04 07:06:07 +02:00'],
    ...['2021-03-04T05:06:07', '2021-03-04 05:06:07', '2021-03-04 05:06:07 UTC', '2021-03-04T05:06:07.000000'],
    ...[ms, ms / 1000, String(ms), String(ms / 1000)],
  ])
    t.same(await readTime(t, time), [AT, []], String(time));
  t.same(await readTime(t, '2021-03-04'), ['2021-03-04T00:00:00.000Z', []]);
  t.same(await readTime(t, null), [undefined, []]);
  t.same(await readTime(t, ' '), [undefined, []]);
});

t.test('any other form of time is reported as lost', async (t) => {
  for (const time of [
    ...['04/03/2021', '4.3.2021', '2021', '20210304', 'soon', '2021-02-30', '2021-03-04T25:00:00', 'Thu, 04 Mar 2021 05:06:07 GMT'],
    ...[8.64e15, 1e300, -1, 0, 2021, true, {}, '99999999999999', '0000-01-01T00:00:00Z'],
  ])
    t.same(await readTime(t, time), [undefined, ['created_at']], JSON.stringify(time));
});

t.test('a time without a zone does not depend on the time zone of the process', async (t) => {
  const module = fileURLToPath(new URL('../source-service.js', import.meta.url));
  const script = `import { linkOfRow } from ${JSON.stringify(module)};
    console.log(linkOfRow('bitly', { bitlink: 'bit.ly/a', created: '2021-03-04 05:06:07' }).fields.created_at);`;
  for (const TZ of ['Asia/Tokyo', 'America/New_York']) {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TZ },
      encoding: 'utf8',
    });
    t.equal(stdout.trim(), AT, TZ);
  }
});

const DUB = { domain: 'dub.sh', key: 'a', url: 'https://shop.example/' };
const FIREBASE = { 'short link': 'a.page.link/a', link: 'https://shop.example/' };

t.test('each source reports times that it cannot read', async (t) => {
  const wrong = 'soon';
  const sources: Readonly<Record<string, readonly [object, readonly string[]]>> = {
    rebrandly: [{ createdAt: wrong, expiredAt: wrong }, ['created_at', 'expires_at']],
    dub: [{ createdAt: wrong, expiresAt: wrong }, ['created_at', 'expires_at']],
    shlink: [{ dateCreated: wrong, meta: { validSince: wrong, validUntil: wrong } }, ['active_from', 'created_at', 'expires_at']],
    kutt: [{ created_at: wrong, expire_in: wrong }, ['created_at', 'expires_at']],
    bitly: [{ created_at: wrong }, ['created_at']],
  };
  for (const [source, [more, lost]] of Object.entries(sources)) {
    const [link] = await linksFrom(t, source, ONE_LINK[source]?.(more) ?? (() => []));
    t.same(link?.lost.toSorted(), lost, source);
  }
  t.same(linkOfRow('bitly', { bitlink: 'bit.ly/a', created: wrong }).lost, ['created_at']);
  t.same(linkOfRow('dub', { ...DUB, createdat: wrong, expiresat: wrong }).lost, ['created_at', 'expires_at']);
  t.same(linkOfRow('firebase', { ...FIREBASE, created: wrong }).lost, ['created_at']);
});

t.test('clicks, tags, notes and flags that do not fit are reported as lost', async (t) => {
  t.match(linkOfRow('bitly', { bitlink: 'bit.ly/a', 'total clicks': '1.2K' }), { lost: ['clicks'], clicks: undefined });
  t.match(linkOfRow('bitly', { bitlink: 'bit.ly/a', 'total clicks': '1,234' }), { lost: [], clicks: [{ clicks: 1234 }] });
  t.match(linkOfRow('dub', { ...DUB, clicks: '1.2K' }), { lost: ['clicks'], clicks: undefined });
  t.same(linkOfRow('bitly', { bitlink: 'bit.ly/a', archived: 'oui' }).lost, ['archived']);
  t.same(linkOfRow('dub', { ...DUB, archived: 'oui', proxy: 'oui' }).lost, ['proxy', 'archived']);
  t.same(linkOfRow('firebase', { ...FIREBASE, archived: 'oui', efr: 'oui' }).lost, ['archived', 'efr']);
  const tagged = async (tags: unknown) => (await linksFrom(t, 'shlink', ONE_LINK.shlink?.({ tags }) ?? (() => [])))[0];
  t.match(await tagged(Array.from({ length: TAGS_OF_LINK_MAX + 1 }, (_, at) => `t${at}`)), { lost: ['tags'] });
  t.match(await tagged(['x'.repeat(TAG_CHARACTERS_MAX + 1), 'y']), { lost: ['tags'], fields: { tags: [/^x{64}$/, 'y'] } });
  t.match(await tagged([`${'x'.repeat(TAG_CHARACTERS_MAX - 1)} y`]), { lost: ['tags'], fields: { tags: [/^x{63}$/] } });
  t.match(await tagged(['x'.repeat(TAG_CHARACTERS_MAX), 'y', 'y', 'a,b']), { lost: [], fields: { tags: [/^x{64}$/, 'y', 'a b'] } });
  t.match(await tagged(null), { lost: [], fields: { tags: undefined } });
  const [noted] = await linksFrom(t, 'kutt', ONE_LINK.kutt?.({ description: 'x'.repeat(501) }) ?? (() => []));
  t.match(noted, { lost: ['comments'], fields: { comments: /^x{500}$/ } });
});

t.test('texts are cut between characters, and characters are counted as the API does', async (t) => {
  const reading = new SourceRow();
  const emoji = '😀';
  t.same(reading.tags([emoji.repeat(TAG_CHARACTERS_MAX)]), [emoji.repeat(TAG_CHARACTERS_MAX)]);
  t.equal(reading.text('comments', emoji.repeat(3), 3), emoji.repeat(3));
  t.same(reading.result().lost, []);
  t.same(reading.tags([`${'x'.repeat(TAG_CHARACTERS_MAX - 1)}${emoji}y`]), [`${'x'.repeat(TAG_CHARACTERS_MAX - 1)}${emoji}`]);
  t.equal(reading.text('comments', `ab${emoji}${emoji}`, 3), `ab${emoji}`);
  t.same(reading.result().lost, ['tags', 'comments']);
});
