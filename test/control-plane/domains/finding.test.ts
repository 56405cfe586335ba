import t from 'tap';
import type { DomainRow } from '../../../control-plane/domains/domain-row.js';
import { checkedRow, type Finding, findingOf, GRACE_MS } from '../../../control-plane/domains/finding.js';

const HOUR_MS = 3_600_000;
const CREATED_MS = Date.UTC(2026, 10, 20);
const at = (ms: number) => new Date(CREATED_MS + ms);

const pending: DomainRow = {
  id: 'dom_1',
  hostname: 'links.acme.org',
  status: 'pending',
  txt_value: 'expected',
  failure_reason: null,
  missing_since: null,
  last_checked_at: null,
  next_check_at: at(0),
  redirects: {},
  case_insensitive: false,
  qr_style: null,
  created_at: at(0),
  updated_at: at(0),
};
const verified: DomainRow = { ...pending, status: 'verified' };
const failed: DomainRow = { ...pending, status: 'failed', failure_reason: 'record_missing' };

const check = (row: DomainRow, finding: Finding, ageMs: number, asked = false) =>
  checkedRow(row, finding, { nowMs: CREATED_MS + ageMs, asked });

t.test('the record is found among others by its exact value', async (t) => {
  t.equal(findingOf({ kind: 'answered', records: ['spf', 'expected'] }, 'expected'), 'found');
  t.equal(findingOf({ kind: 'answered', records: ['expected '] }, 'expected'), 'record_differs');
  t.equal(findingOf({ kind: 'answered', records: [] }, 'expected'), 'record_differs');
  t.equal(findingOf({ kind: 'none' }, 'expected'), 'record_missing');
  t.equal(findingOf({ kind: 'failed', code: 'ETIMEOUT' }, 'expected'), 'dns_error');
});

t.test('each finding changes the state as specified', async (t) => {
  const last = GRACE_MS - 1;
  for (const [row, finding, ageMs, asked, expected] of [
    [pending, 'found', 0, false, { status: 'verified', failure_reason: null }],
    [pending, 'record_missing', last, false, { status: 'pending', failure_reason: 'record_missing' }],
    [pending, 'record_differs', GRACE_MS, false, { status: 'failed', failure_reason: 'record_differs' }],
    [pending, 'record_missing', 0, true, { status: 'failed' }],
    [pending, 'dns_error', 0, true, { status: 'pending', failure_reason: 'dns_error' }],
    [pending, 'dns_error', GRACE_MS, false, { status: 'failed', failure_reason: 'dns_error' }],
    [pending, 'taken', 0, false, { status: 'failed', failure_reason: 'taken' }],
    [failed, 'found', 0, false, { status: 'verified', failure_reason: null }],
    [failed, 'dns_error', 0, true, { status: 'failed', failure_reason: 'dns_error' }],
    [verified, 'record_missing', 0, true, { status: 'verified', failure_reason: 'record_missing', missing_since: at(0) }],
    [verified, 'taken', 0, false, { status: 'failed', missing_since: null }],
    [{ ...verified, missing_since: at(0) }, 'record_missing', last, false, { status: 'verified', missing_since: at(0) }],
    [{ ...verified, missing_since: at(0) }, 'found', last, false, { status: 'verified', missing_since: null, failure_reason: null }],
    [{ ...verified, missing_since: at(0) }, 'record_missing', GRACE_MS, false, { status: 'failed', missing_since: null }],
    [{ ...verified, missing_since: at(0) }, 'dns_error', GRACE_MS, false, { status: 'failed', failure_reason: 'dns_error' }],
  ] as const)
    t.match(check(row, finding, ageMs, asked), expected, `${row.status} ${finding}`);
});

t.test('checks get rarer with time, and a failed domain is no longer checked at last', async (t) => {
  const nextIn = (row: DomainRow, finding: Finding, ageMs: number) => {
    const { next_check_at } = check(row, finding, ageMs);
    return next_check_at === null ? null : next_check_at.getTime() - CREATED_MS - ageMs;
  };
  t.equal(nextIn(pending, 'record_missing', 0), 60_000);
  t.equal(nextIn(pending, 'record_missing', HOUR_MS), 600_000);
  t.equal(nextIn(failed, 'record_missing', 24 * HOUR_MS), HOUR_MS);
  t.equal(nextIn(failed, 'record_missing', GRACE_MS), null);
  t.equal(nextIn(pending, 'found', 0), 24 * HOUR_MS);
  t.equal(nextIn(verified, 'record_missing', 30 * 24 * HOUR_MS), HOUR_MS);
});

t.test('updated_at changes only with the status, and last_checked_at with every check', async (t) => {
  const same = check(failed, 'record_missing', HOUR_MS);
  t.same([same.updated_at, same.last_checked_at], [at(0), at(HOUR_MS)]);
  t.same(check(failed, 'dns_error', HOUR_MS).updated_at, at(0), 'another reason of failure does not change updated_at');
  t.same(check(failed, 'found', HOUR_MS).updated_at, at(HOUR_MS));
});
