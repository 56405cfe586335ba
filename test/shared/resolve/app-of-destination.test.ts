import t from 'tap';
import { appOfDestination, schemeName } from '../../../shared/resolve/app-of-destination.js';

const apps = [
  { name: 'links alone', uri_scheme: null },
  { name: 'a', uri_scheme: 'AppA' },
  { name: 'b', uri_scheme: 'appb://' },
];

t.test('the app of a destination is the one with its scheme, otherwise the first app', async (t) => {
  for (const [destination, name] of [
    ['appa://item/1', 'a'],
    ['APPB:item/1', 'b'],
    ['appbb://item', 'links alone'],
    ['https://shop.example/', 'links alone'],
    ['', 'links alone'],
  ] as const)
    t.equal(appOfDestination(apps, destination)?.name, name, destination);
  t.equal(appOfDestination([], 'appa://item/1'), undefined);
});

t.test('a scheme is recognised with and without what follows it in a URL', async (t) => {
  for (const scheme of ['shop', 'shop:', 'shop://', 'shop:/']) t.equal(schemeName(scheme), 'shop');
});
