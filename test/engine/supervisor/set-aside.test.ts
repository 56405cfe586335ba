import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { setAside } from '../../../engine/supervisor/set-aside.js';

t.test('a folder is moved out of its name with all that is in it', async (t) => {
  const dir = t.testdir({ store: { 'data.mdb': 'bytes' }, spool: {} });
  t.equal(
    setAside(join(dir, 'store'), () => 1000),
    join(dir, 'store.aside-1000'),
  );
  t.same(readdirSync(dir).sort(), ['spool', 'store.aside-1000']);
  t.equal(readFileSync(join(dir, 'store.aside-1000', 'data.mdb'), 'utf8'), 'bytes');
});

t.test('of several such copies the newest is kept', async (t) => {
  const dir = t.testdir({ store: { a: '' }, 'store.aside-500': { b: '' }, 'store.aside-700': {}, 'store-of-another': {} });
  setAside(join(dir, 'store'), () => 1000);
  t.same(readdirSync(dir).sort(), ['store-of-another', 'store.aside-1000']);
});

t.test('where there is no folder there is nothing to do', async (t) => {
  t.equal(
    setAside(join(t.testdir(), 'store'), () => 1000),
    null,
  );
});
