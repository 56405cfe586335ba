import t from 'tap';
import { assemble, fieldOf } from '../../../../control-plane/dashboard/forms/pointers.js';

t.test('a problem is shown at the field that it names, or at the nearest field above or below it', async (t) => {
  const fields = ['/path', '/data', '/destinations/web', '/ios_apps/0/team_id'];
  t.equal(fieldOf('/path', fields), '/path');
  t.equal(fieldOf('/data/colour/name', fields), '/data');
  t.equal(fieldOf('/destinations', fields), '/destinations/web');
  t.equal(fieldOf('/ios_apps/0', fields), '/ios_apps/0/team_id');
  t.equal(fieldOf('/paths', fields), null);
  t.equal(fieldOf('', fields), null);
});

t.test('values are assembled into the object that their pointers describe', async (t) => {
  t.strictSame(
    assemble({ '/path': 'a', '/destinations/web': null, '/apps/0/id': 'x', '/apps/1/id': 'y', '/with~1slash': 1, '/left_out': undefined }),
    { path: 'a', destinations: { web: null }, apps: [{ id: 'x' }, { id: 'y' }], 'with/slash': 1 },
  );
});

t.test('no pointer reaches the prototype of objects', async (t) => {
  assemble({ '/__proto__/polluted': true, '/constructor/prototype/polluted': true });
  t.equal(({} as { polluted?: boolean }).polluted, undefined);
});
