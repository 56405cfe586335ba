import t from 'tap';
import type { CandidateClick } from '../../../shared/attribution/choose-click.js';
import { type ClickSearch, matchClick, type NamedClick, type OpenClicks, readEvidence } from '../../../shared/attribution/match-open.js';
import { unmatchableNetworks } from '../../../shared/attribution/unmatchable-networks.js';
import { idAt } from '../../../shared/base/ids.js';
import { CANDIDATE_CLICKS_MAX, CANDIDATE_CLICKS_OF_VISIT_MAX } from '../../../shared/base/limits.js';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const isUnmatchable = unmatchableNetworks();
const clickAgo = (ms: number) => idAt('click', NOW - ms);
const candidate: CandidateClick = { language: null, model: null, screen: null, occurred_at: new Date(NOW), visit: null };

interface Evidence {
  readonly referrer?: string;
  readonly clipboard?: string;
  readonly address?: string;
  readonly version?: string | null;
}

function evidenceOf({ referrer, clipboard, address = '203.0.113.1', version = '17.5' }: Evidence) {
  const reported = { play_referrer: `click_id=${referrer}`, clipboard: clipboard ?? null, device: { os: 'ios', os_version: version } };
  return readEvidence(reported, { environment: { number: 1, attribution_window_minutes: 120 }, address, isUnmatchable, nowMs: NOW });
}

/** Clicks of which all are open but the used ones, and `near` fit the open. Their names are not looked at. */
function clicksWith({ used = [], gone = [], near = 0 }: { used?: readonly string[]; gone?: readonly string[]; near?: number }) {
  const looked: string[] = [];
  const clicks: OpenClicks<CandidateClick> = {
    find: async ({ id }: NamedClick) => {
      looked.push(id);
      return used.includes(id) || gone.includes(id) ? null : candidate;
    },
    isUsed: async ({ id }) => used.includes(id),
    candidates: async () => Array.from({ length: near }, () => candidate),
  };
  return { clicks, looked };
}

const outcome = async (evidence: Evidence, stored: Parameters<typeof clicksWith>[0] = {}) => {
  const match = await matchClick(clicksWith(stored).clicks, evidenceOf(evidence));
  return match.kind === 'click' ? match.rule : match.reason;
};

t.test('a named click matches up to the last millisecond of its time, and of the minute by which clocks may differ', async (t) => {
  const cases: readonly [keyof Evidence, number, string][] = [
    ['referrer', 90 * DAY_MS, 'play_referrer'],
    ['referrer', 90 * DAY_MS + 1, 'click_expired'],
    ['clipboard', 120 * MINUTE_MS, 'clipboard'],
    ['clipboard', 120 * MINUTE_MS + 1, 'click_expired'],
    ['referrer', -MINUTE_MS, 'play_referrer'],
    ['referrer', -MINUTE_MS - 1, 'click_unknown'],
    ['clipboard', -MINUTE_MS, 'clipboard'],
    ['clipboard', -MINUTE_MS - 1, 'click_unknown'],
  ];
  for (const [named, ago, expected] of cases) t.equal(await outcome({ [named]: clickAgo(ago) }), expected, `${named} ${ago}`);
});

t.test('candidates are searched from the beginning of the window to a minute ahead, by network, system and environment', async (t) => {
  const { search } = evidenceOf({});
  t.match(search, { environmentNumber: 1, sinceMs: NOW - 120 * MINUTE_MS, untilMs: NOW + MINUTE_MS });
  const same = (one: Evidence, other: Evidence) => {
    const [first, second] = [evidenceOf(one).search, evidenceOf(other).search] as [ClickSearch, ClickSearch];
    return Buffer.compare(first.network, second.network) === 0 && Buffer.compare(first.facts, second.facts) === 0;
  };
  t.ok(same({ version: '17.5.1' }, { version: '17.5' }));
  t.notOk(same({ version: '17.5' }, { version: '17.4' }));
  t.ok(same({ address: '::ffff:203.0.113.1' }, { address: '203.0.113.1' }));
  t.ok(same({ address: '2a01:4f8:1:2::1' }, { address: '2a01:4f8:1:2:ffff::9' }));
  t.notOk(same({ address: '2a01:4f8:1:2::1' }, { address: '2a01:4f8:1:3::1' }));
});

t.test('the referrer comes before the clipboard, and that before the clicks that fit', async (t) => {
  const [referrer, clipboard] = [clickAgo(2_000), clickAgo(1_000)];
  const { clicks, looked } = clicksWith({ near: 1 });
  t.match(await matchClick(clicks, evidenceOf({ referrer, clipboard })), { rule: 'play_referrer', matchedFactors: ['click_id'] });
  t.same(looked, [referrer], 'nothing else is looked for');
  t.equal(await outcome({ referrer, clipboard }, { used: [referrer], near: 1 }), 'clipboard');
  t.equal(await outcome({ referrer, clipboard }, { used: [referrer], gone: [clipboard], near: 1 }), 'probabilistic');
});

t.test(
  'of several reasons, that several clicks fit comes first, then what is wrong with the first named click, then what is missing',
  async (t) => {
    const [used, gone] = [clickAgo(2_000), clickAgo(1_000)];
    const stored = { used: [used], gone: [gone] };
    t.equal(await outcome({ referrer: used }, { ...stored, near: 2 }), 'ambiguous');
    t.equal(await outcome({ referrer: used, clipboard: gone }, stored), 'click_used');
    t.equal(await outcome({ referrer: gone, clipboard: used }, stored), 'click_unknown');
    t.equal(await outcome({ referrer: used, address: '10.0.0.1' }, stored), 'click_used');
    t.equal(await outcome({ address: '10.0.0.1', version: null }, { near: 1 }), 'address_not_matchable');
    t.equal(await outcome({ version: null }, { near: 1 }), 'os_version_unknown');
    t.equal(await outcome({}), 'no_candidate');
  },
);

t.test('many clicks of one visitor on one link match as a single one does, and a crowd matches nothing', async (t) => {
  const [many, most] = [CANDIDATE_CLICKS_MAX, CANDIDATE_CLICKS_OF_VISIT_MAX];
  const newest = { ...candidate, visit: 'a', occurred_at: new Date(NOW + 1) };
  const ofOne = (count: number) => [...Array.from({ length: count - 1 }, () => ({ ...candidate, visit: 'a' })), newest];
  const other = { ...candidate, visit: 'b' };
  for (const [stored, expected] of [
    [ofOne(many + 1), newest],
    [ofOne(most), newest],
    [ofOne(most + 1), null],
    [[...ofOne(many), other], null],
    [[...ofOne(most - 1), other], null],
    [Array.from({ length: many + 1 }, () => candidate), null],
  ] as const) {
    const clicks: OpenClicks<CandidateClick> = {
      find: async () => null,
      isUsed: async () => false,
      candidates: async (_search, limit) => stored.slice(0, limit),
    };
    const match = await matchClick(clicks, evidenceOf({}));
    const wanted = expected === null ? { kind: 'none', reason: 'ambiguous' } : { kind: 'click', rule: 'probabilistic', click: expected };
    t.match(match, wanted, `${stored.length} clicks`);
  }
});
