import t from 'tap';
import { type IdFormat, parseIdFormat } from '../../../shared/records/id-format.js';
import { compileIdFormat, idFault } from '../../../shared/resolve/id-matcher.js';

const charset = (text: string, min_length = 1, max_length = 64) => ({ kind: 'charset', charset: text, min_length, max_length });

t.test('a valid id format is accepted unchanged', async (t) => {
  for (const preset of ['numeric', 'alnum', 'uuid', 'ulid', 'base64url'])
    t.same(parseIdFormat({ kind: 'preset', preset }), { ok: true, value: { kind: 'preset', preset } }, preset);
  for (const format of [
    charset('a-z0-9-'),
    charset('-'),
    charset('a-'),
    charset('\\[]^.*$'),
    charset('a', 256, 256),
    charset('ä-ö😀-😃'),
    charset('/'),
    charset(' '),
  ])
    t.same(parseIdFormat(format), { ok: true, value: format }, format.charset);
});

t.test('an invalid id format is refused, with a pointer for each wrong member', async (t) => {
  const table: [unknown, string[]][] = [
    [null, ['/id_format wrong_type']],
    ['numeric', ['/id_format wrong_type']],
    [[], ['/id_format wrong_type']],
    [{}, ['/id_format/kind invalid_value']],
    [{ kind: 'regex', regex: '.*' }, ['/id_format/kind invalid_value', '/id_format/regex unknown_field']],
    [{ kind: 'regex', preset: 'uuid', charset: 'a' }, ['/id_format/kind invalid_value']],
    [
      { charset: '', max_length: 0 },
      ['/id_format/charset invalid_format', '/id_format/kind invalid_value', '/id_format/max_length too_small'],
    ],
    [{ kind: 'preset' }, ['/id_format/preset required']],
    [{ kind: 'preset', preset: 'UUID' }, ['/id_format/preset invalid_value']],
    [{ kind: 'preset', preset: 'uuid', 'a/b': 1 }, ['/id_format/a~1b unknown_field']],
    [{ kind: 'charset' }, ['/id_format/charset required', '/id_format/max_length required', '/id_format/min_length required']],
    [charset(''), ['/id_format/charset invalid_format']],
    [charset('-a'), ['/id_format/charset invalid_format']],
    [charset('a--'), ['/id_format/charset invalid_format']],
    [charset('a-z-9'), ['/id_format/charset invalid_format']],
    [charset('z-a'), ['/id_format/charset invalid_format']],
    [charset('\n'), ['/id_format/charset invalid_format']],
    [charset('\u0000-\u{10ffff}'), ['/id_format/charset invalid_format']],
    [charset('a\ud800'), ['/id_format/charset invalid_format']],
    [charset('\ufff0-\uffff'), ['/id_format/charset invalid_format']],
    [charset('ab'.repeat(129)), ['/id_format/charset too_long']],
    [{ ...charset('a'), charset: 7 }, ['/id_format/charset wrong_type']],
    [charset('a', 0, 257), ['/id_format/max_length too_large', '/id_format/min_length too_small']],
    [charset('a', 1.5, Number.NaN), ['/id_format/max_length wrong_type', '/id_format/min_length wrong_type']],
    [charset('a', 3, 2), ['/id_format/min_length too_large']],
    [charset('', 3, 2), ['/id_format/charset invalid_format', '/id_format/min_length too_large']],
  ];
  for (const [input, wanted] of table) {
    const parsed = parseIdFormat(input);
    t.same(parsed.ok ? [] : parsed.issues.map((issue) => `${issue.pointer} ${issue.code}`).sort(), wanted, JSON.stringify(input));
  }
});

t.test('an id is checked by the tables of its format', async (t) => {
  const uuid = '123e4567-e89b-12d3-a456-426614174000';
  const preset = (name: string) => ({ kind: 'preset', preset: name }) as IdFormat;
  const table: [IdFormat, string, string][] = [
    [preset('numeric'), '0', ''],
    [preset('numeric'), '9'.repeat(20), ''],
    [preset('numeric'), '9'.repeat(21), 'too_long'],
    [preset('numeric'), '', 'too_short'],
    [preset('numeric'), '-1', 'invalid_character'],
    [preset('numeric'), '٣', 'invalid_character'],
    [preset('alnum'), 'aZ9', ''],
    [preset('alnum'), 'a_b', 'invalid_character'],
    [preset('alnum'), 'a'.repeat(65), 'too_long'],
    [preset('uuid'), uuid, ''],
    [preset('uuid'), uuid.toUpperCase(), ''],
    [preset('uuid'), uuid.replaceAll('-', ''), 'invalid_character'],
    [preset('uuid'), uuid.slice(1), 'invalid_character'],
    [preset('uuid'), uuid.slice(0, -1), 'too_short'],
    [preset('uuid'), `${uuid}0`, 'too_long'],
    [preset('uuid'), `{${uuid}}`, 'invalid_character'],
    [preset('uuid'), '-'.repeat(36), 'invalid_character'],
    [preset('ulid'), '01ARZ3NDEKTSV4RRFFQ69G5FAV', ''],
    [preset('ulid'), '01arz3ndektsv4rrffq69g5fav', ''],
    [preset('ulid'), '01ARZ3NDEKTSV4RRFFQ69G5FAI', 'invalid_character'],
    [preset('ulid'), '01ARZ3NDEKTSV4RRFFQ69G5FA', 'too_short'],
    [preset('base64url'), 'a-_Z', ''],
    [preset('base64url'), 'ab==', 'invalid_character'],
    [preset('base64url'), 'a'.repeat(128), ''],
    [preset('base64url'), 'a'.repeat(129), 'too_long'],
    [charset('.a') as IdFormat, '.', 'dot_segment'],
    [charset('.a') as IdFormat, '..', 'dot_segment'],
    [charset('.a') as IdFormat, '...', ''],
    [charset('😀-😃', 2, 2) as IdFormat, '😀😃', ''],
    [charset('😀-😃', 2, 2) as IdFormat, '😀', 'too_short'],
    [charset('😀-😃', 2, 2) as IdFormat, '😀😃😀', 'too_long'],
    [charset('😀-😃', 2, 2) as IdFormat, '😄😀', 'invalid_character'],
    [charset('a-z') as IdFormat, '\ud83d', 'invalid_character'],
    [charset('a-z') as IdFormat, '\ufffd', 'invalid_character'],
    [charset('a-z') as IdFormat, 'a'.repeat(10_000_000), 'too_long'],
  ];
  for (const [format, id, wanted] of table)
    t.equal(idFault(compileIdFormat(format), id), wanted, `${JSON.stringify(format)} ${id.slice(0, 50)}`);
});

t.test('the matchers of presets and of charsets have the same members', async (t) => {
  const shape = (format: IdFormat) => Object.keys(compileIdFormat(format)).join();
  t.equal(shape({ kind: 'preset', preset: 'uuid' }), shape(charset('a-z') as IdFormat));
});
