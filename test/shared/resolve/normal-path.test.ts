import t from 'tap';
import { ALIAS_PATH_BYTES_MAX } from '../../../shared/base/limits.js';
import { aliasPath, lowerCasePath } from '../../../shared/resolve/normal-path.js';
import fc from '../../support/properties.js';

t.test('a path has one normal form, however a client escapes it', async (t) => {
  for (const [urlPath, normal] of [
    ['/sale', 'sale'],
    ['/sale/', 'sale'],
    ['/Sale/2027/index.html', 'Sale/2027/index.html'],
    ['/%73ale', 'sale'],
    ['/caf%c3%a9', 'caf%C3%A9'],
    ['/café', 'caf%C3%A9'],
    ['/a%20b', 'a%20b'],
    ['/a+b', 'a%2Bb'],
    ['/a%2Bb', 'a%2Bb'],
    ['/@me:(x)!', '%40me%3A(x)!'],
    ['/%40me%3A%28x%29%21', '%40me%3A(x)!'],
    ['/a%2Fb', 'a%2Fb'],
    ['/a/b', 'a/b'],
    ['/100%25', '100%25'],
    ['/a//', 'a/'],
    ['/', null],
    ['/%', null],
    ['/%zz', null],
    ['/%ff', null],
    ['/\ud800', null],
    [`/${'x'.repeat(ALIAS_PATH_BYTES_MAX)}`, 'x'.repeat(ALIAS_PATH_BYTES_MAX)],
    [`/${'x'.repeat(ALIAS_PATH_BYTES_MAX + 1)}`, null],
    [`/${'%41'.repeat(ALIAS_PATH_BYTES_MAX)}`, 'A'.repeat(ALIAS_PATH_BYTES_MAX)],
  ] as const)
    t.equal(aliasPath(urlPath), normal, urlPath.slice(0, 60));
});

t.test('a normal form is its own normal form, and also that of the path that a browser sends', async () => {
  const path = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .filter((text) => !/[?#\\]|%|^\s|\s$|^\/|\/$|(^|\/)\.{1,2}(\/|$)/.test(text));
  fc.assert(
    fc.property(path, (text) => {
      const normal = aliasPath(`/${text}`);
      if (normal === null) return false;
      const sent = new URL(`https://host.example/${encodeURI(text)}`).pathname;
      return aliasPath(`/${normal}`) === normal && aliasPath(sent) === normal;
    }),
  );
});

t.test('if case does not count, a path with capitals has a form in lower case', async (t) => {
  for (const [urlPath, lower] of [
    ['/Spring', '/spring'],
    ['/%53pring/', '/spring'],
    ['/Sale/CAF%c3%89', '/sale/caf%C3%A9'],
    ['/A%2FB', '/a%2Fb'],
    ['/spring', null],
    ['/caf%c3%a9', null],
    ['/%ff', null],
    ['/', null],
  ] as const) {
    t.equal(lowerCasePath(urlPath, { case_insensitive: true }), lower, urlPath);
    t.equal(lowerCasePath(urlPath, { case_insensitive: false }), null);
    t.equal(lowerCasePath(urlPath, null), null);
  }
});
