import { randomBytes } from 'node:crypto';
import t from 'tap';
import { awaitNamedClick } from '../../../control-plane/clicks/await-named-click.js';
import { NAMED_CLICK_WAIT_MS, NAMED_CLICK_WAITS_MAX } from '../../../shared/base/limits.js';
import { deriveClickIdKeys, newClickId } from '../../../shared/secrets/click-id-keys.js';

const clickIds = deriveClickIdKeys({ current: 'k', keys: new Map([['k', randomBytes(32)]]) });
const NOW = Date.now();
const clickId = newClickId(clickIds, NOW);

t.test('calls of one environment that wait for clicks that never come leave room for those of others', async (t) => {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const neverFound = (environmentId: string) =>
    awaitNamedClick({ environmentId, clickId, nowMs: NOW }, async () => null, { clickIds, wait: () => ended });
  const flood = Array.from({ length: NAMED_CLICK_WAITS_MAX }, () => neverFound('env_flood'));
  let asked = 0;
  const found = await awaitNamedClick({ environmentId: 'env_other', clickId, nowMs: NOW }, async () => (++asked === 2 ? 'click' : null), {
    clickIds,
    wait: async () => {},
  });
  t.equal(found, 'click');
  end();
  t.same(new Set(await Promise.all(flood)), new Set([null]));
});

t.test('waits that have ended count no longer', async (t) => {
  for (let call = 0; call <= NAMED_CLICK_WAITS_MAX; call++) {
    let waitedMs = 0;
    const wait = async (milliseconds: number) => {
      waitedMs += milliseconds;
    };
    await awaitNamedClick({ environmentId: 'env_one', clickId, nowMs: NOW }, async () => null, { clickIds, wait });
    if (waitedMs !== NAMED_CLICK_WAIT_MS) t.fail(`call ${call} waited only ${waitedMs} ms`);
  }
});
