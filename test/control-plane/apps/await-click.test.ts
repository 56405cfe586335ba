import { randomBytes } from 'node:crypto';
import t from 'tap';
import { awaitClick } from '../../../control-plane/apps/await-click.js';
import type { CandidateClick } from '../../../shared/attribution/choose-click.js';
import { type NamedClick, type OpenClicks, readEvidence } from '../../../shared/attribution/match-open.js';
import { unmatchableNetworks } from '../../../shared/attribution/unmatchable-networks.js';
import { ANY_CLICK_WAIT_MS, CLICK_POLL_MS, NAMED_CLICK_WAIT_MS } from '../../../shared/base/limits.js';
import { deriveClickIdKeys, newClickId } from '../../../shared/secrets/click-id-keys.js';

const clickIds = deriveClickIdKeys({ current: 'k', keys: new Map([['k', randomBytes(32)]]) });
const NOW = Date.now();
const HOUR_MS = 3_600_000;
const young = () => newClickId(clickIds, NOW - 1_000);
const old = () => newClickId(clickIds, NOW - HOUR_MS);
const click: CandidateClick = { language: null, model: null, screen: null, occurred_at: new Date(NOW), visit: null };

interface Stored {
  readonly open?: readonly string[];
  readonly used?: readonly string[];
  readonly near?: number;
}

/** Returns how long an open waits that names these clicks. `address` is null for one that has nothing else. */
async function waited(
  named: { readonly referrer?: string; readonly clipboard?: string },
  stored: Stored,
  address: string | null,
): Promise<number> {
  const clicks: OpenClicks<CandidateClick> = {
    find: async ({ id }: NamedClick) => (stored.open?.includes(id) ? click : null),
    isUsed: async ({ id }) => stored.used?.includes(id) === true,
    candidates: async () => Array.from({ length: stored.near ?? 0 }, () => click),
  };
  const evidence = readEvidence(
    { play_referrer: `click_id=${named.referrer}`, clipboard: named.clipboard ?? null, device: { os: 'ios', os_version: '17.5' } },
    {
      environment: { number: 1, attribution_window_minutes: 120 },
      address: address ?? '10.0.0.1',
      isUnmatchable: unmatchableNetworks(),
      nowMs: NOW,
    },
  );
  let waitedMs = 0;
  const wait = async (milliseconds: number) => {
    waitedMs += milliseconds;
  };
  await awaitClick(clicks, evidence, { clickIds, wait });
  return waitedMs;
}

t.test('an open waits for a named click that may still come, whatever became of the others that it names', async (t) => {
  const [first, second] = [young(), young()];
  t.equal(await waited({ referrer: first }, {}, null), NAMED_CLICK_WAIT_MS);
  t.equal(await waited({ referrer: first }, { near: 1 }, '203.0.113.1'), NAMED_CLICK_WAIT_MS, 'it would come before the one that fits');
  t.equal(await waited({ referrer: first }, { open: [first] }, null), 0);
  t.equal(await waited({ referrer: first, clipboard: second }, { used: [first] }, null), NAMED_CLICK_WAIT_MS);
  t.equal(await waited({ referrer: first, clipboard: second }, { open: [second] }, null), NAMED_CLICK_WAIT_MS);
  t.equal(await waited({ referrer: first, clipboard: second }, { open: [first] }, null), 0, 'the second does not matter any more');
  const used = old();
  t.equal(await waited({ referrer: used, clipboard: second }, { used: [used] }, null), NAMED_CLICK_WAIT_MS);
});

t.test('an open waits a moment for a click that fits, also if the one that it names was used', async (t) => {
  const address = '203.0.113.1';
  const [fresh, used] = [young(), old()];
  for (const id of [fresh, used]) {
    t.equal(await waited({ referrer: id }, { used: [id] }, address), ANY_CLICK_WAIT_MS);
    t.equal(await waited({ referrer: id }, { used: [id] }, null), 0);
    t.equal(await waited({ referrer: id }, { used: [id], near: 1 }, address), 0);
    t.equal(await waited({ referrer: id }, { used: [id], near: 2 }, address), 0, 'ambiguous');
  }
  t.equal(await waited({}, {}, address), ANY_CLICK_WAIT_MS);
  t.equal(ANY_CLICK_WAIT_MS % CLICK_POLL_MS, 0);
});
