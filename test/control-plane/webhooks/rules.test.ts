import t from 'tap';
import { deliveryWindow, deliveryWindowErrors, isSameRequest } from '../../../control-plane/webhooks/rules.js';

const NOW_MS = Date.UTC(2030, 0, 31, 12);
const DAY_MS = 86_400_000;
const day = (offset: number) => new Date(NOW_MS + offset * DAY_MS).toISOString();

t.test('a window begins seven days before its end by default, and ends now', async (t) => {
  t.same(deliveryWindow({}, NOW_MS), { fromMs: NOW_MS - 7 * DAY_MS, toMs: null });
  t.same(deliveryWindow({ to: day(-10) }, NOW_MS), { fromMs: NOW_MS - 17 * DAY_MS, toMs: NOW_MS - 10 * DAY_MS });
  t.same(deliveryWindow({ from: day(-1) }, NOW_MS), { fromMs: NOW_MS - DAY_MS, toMs: null });
});

t.test('a window is at most thirty days wide', async (t) => {
  t.same(deliveryWindowErrors({ from: day(-40), to: day(-10) }, NOW_MS), []);
  t.match(deliveryWindowErrors({ from: day(-40.001), to: day(-10) }, NOW_MS), [{ pointer: '/from', code: 'invalid_range' }]);
  t.same(deliveryWindowErrors({ from: day(-30) }, NOW_MS + 60_000), [], 'one that ends now may be read page by page');
});

t.test('what is not sent makes no other request', async (t) => {
  for (const [one, other, same] of [
    ['https://a.example/x', 'https://A.example:443/y/../x?#z', true],
    ['https://a.example/x', 'https://a.example/x/', false],
    ['https://a.example/x?a', 'https://a.example/x?a=', false],
    ['https://a.example/x', 'https://a.example:8443/x', false],
  ] as const)
    t.equal(isSameRequest(one, other), same, other);
});
