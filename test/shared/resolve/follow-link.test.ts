import t from 'tap';
import { STATUS_LINES } from '../../../engine/pages/status-page.js';
import type { LinkRecord } from '../../../shared/records/records.js';
import { followLink, OUTCOME_STATUS, OUTCOMES, STOP_OUTCOMES } from '../../../shared/resolve/follow-link.js';
import { UNKNOWN_VISITOR } from '../../../shared/resolve/recognise-visitor.js';
import { environmentRecord, linkRecord } from '../../engine/fixtures.js';

const surroundings = { settings: environmentRecord(), campaigns: new Map() };
const visit = { visitor: UNKNOWN_VISITOR, query: '', host_role: 'link' } as const;
const follow = (link: Partial<LinkRecord> | null, nowMs = 1000) =>
  followLink(link === null ? null : linkRecord(link), visit, surroundings, { nowMs });

t.test('what a link is goes before where it leads', async (t) => {
  t.same(follow(null), { kind: 'stop', outcome: 'not_found' });
  for (const state of ['disabled', 'blocked', 'deleted'] as const)
    t.same(follow({ state, expires_at_ms: 1 }), { kind: 'stop', outcome: state });
  t.same(follow({ expires_at_ms: 1000 }), { kind: 'stop', outcome: 'expired' });
  t.match(follow({ expires_at_ms: 1001 }), { kind: 'lead', lead: { outcome: 'redirect', destination: 'https://shop.example/' } });
});

t.test('the status named for an outcome is the one the link host sends', async (t) => {
  for (const outcome of STOP_OUTCOMES) t.equal(Number.parseInt(STATUS_LINES[outcome], 10), OUTCOME_STATUS[outcome], outcome);
  t.same(Object.keys(OUTCOME_STATUS).sort(), [...OUTCOMES].sort());
});
