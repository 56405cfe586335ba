import t from 'tap';
import { engineSettings } from '../../../engine/settings.js';
import { readSettings } from '../../../shared/base/settings.js';
import { retryDelayMs } from '../../../shared/webhooks/retry-delay.js';
import fc from '../../support/properties.js';

/** The default delays of an engine. */
const { webhookRetryDelays } = readSettings({ webhookRetryDelays: engineSettings.webhookRetryDelays }, {});

t.test('eight attempts are spread over 44 h 36 min', async (t) => {
  const delays: (number | null)[] = [];
  for (let attempt = 1; attempt <= 8; attempt++) delays.push(retryDelayMs(attempt, webhookRetryDelays, () => 0.5));
  t.same(delays, [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000, null]);
  const sum = delays.reduce<number>((total, delay) => total + (delay ?? 0), 0);
  t.equal(sum, (44 * 60 + 36) * 60_000);
});

t.test('each wait varies by up to 10 % in both directions, evenly', async (t) => {
  const ratios: number[] = [];
  for (let index = 0; index < 20_000; index++) {
    const attempt = 1 + (index % 7);
    ratios.push((retryDelayMs(attempt, webhookRetryDelays) as number) / ((webhookRetryDelays[attempt - 1] as number) * 1000));
  }
  t.ok(Math.min(...ratios) >= 0.9 && Math.min(...ratios) < 0.902);
  t.ok(Math.max(...ratios) <= 1.1 && Math.max(...ratios) > 1.098);
  const quarter = ratios.filter((ratio) => ratio < 0.95).length / ratios.length;
  t.ok(quarter > 0.23 && quarter < 0.27, `a quarter of the waits is in the lowest quarter of the range, ${quarter}`);
});

t.test('configured waits replace the default ones, and there are eight attempts in any case', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 12 }), (delays) => {
      for (let attempt = 1; attempt <= 7; attempt++) {
        const expected = (delays[attempt - 1] ?? (delays.at(-1) as number)) * 1000;
        if (retryDelayMs(attempt, delays, () => 0.5) !== expected) return false;
      }
      return retryDelayMs(8, delays) === null && retryDelayMs(9, delays) === null;
    }),
  );
  t.throws(() => retryDelayMs(1, []), { name: 'InvariantError' });
  t.throws(() => retryDelayMs(0, [1]), { name: 'InvariantError' });
});
