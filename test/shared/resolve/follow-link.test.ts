import t from 'tap';
import { STATUS_LINES } from '../../../engine/pages/status-page.js';
import type { LinkRules } from '../../../shared/records/link-rules.js';
import type { LinkRecord } from '../../../shared/records/records.js';
import { BLOCKED_DESTINATION } from '../../../shared/resolve/destination.js';
import { followLink, type LinkVisit, OUTCOME_STATUS, OUTCOMES, STOP_OUTCOMES } from '../../../shared/resolve/follow-link.js';
import { UNKNOWN_VISITOR, type Visitor } from '../../../shared/resolve/recognise-visitor.js';
import { environmentRecord, linkRecord } from '../../engine/fixtures.js';

const surroundings = { settings: environmentRecord(), campaigns: new Map() };
const visit = { visitor: UNKNOWN_VISITOR, query: '', host_role: 'link', country: '' } as const;
const follow = (link: Partial<LinkRecord> | null, nowMs = 1000, given: Partial<LinkVisit> = {}) =>
  followLink(link === null ? null : linkRecord(link), { ...visit, ...given }, surroundings, { nowMs });
const NO_RULES: LinkRules = { active_from_ms: 0, max_clicks: null, used_up: false, password: null, geo: null, interstitial: null };
const withRules = (rules: Partial<LinkRules>) => ({ rules: JSON.stringify({ ...NO_RULES, ...rules }) });

t.test('the state of a link is checked before its destination', async (t) => {
  t.same(follow(null), { kind: 'stop', outcome: 'not_found' });
  for (const state of ['disabled', 'blocked', 'deleted'] as const)
    t.same(follow({ state, expires_at_ms: 1 }), { kind: 'stop', outcome: state });
  t.same(follow({ expires_at_ms: 1000 }), { kind: 'stop', outcome: 'expired' });
  t.match(follow({ expires_at_ms: 1001 }), { kind: 'resolved', resolution: { outcome: 'redirect', destination: 'https://shop.example/' } });
});

t.test('the status listed for an outcome is the one that the link host sends', async (t) => {
  for (const outcome of STOP_OUTCOMES) {
    const page = outcome === 'scheduled' ? 'not_found' : outcome;
    t.equal(Number.parseInt(STATUS_LINES[page], 10), OUTCOME_STATUS[outcome], outcome);
  }
  t.same(Object.keys(OUTCOME_STATUS).sort(), [...OUTCOMES].sort());
});

const WEB = 'https://shop.example/a';
const APP_STORE = 'https://apps.apple.com/app/id1';
const destinations = { ios: APP_STORE, android: null, web: WEB, desktop: 'https://shop.example/desktop', fallback: null };
const NO_DESTINATIONS = { ios: null, android: null, web: null, desktop: null, fallback: null };
const IPHONE: Visitor = { ...UNKNOWN_VISITOR, platform: 'ios' };
const DESKTOP: Visitor = { ...UNKNOWN_VISITOR, platform: 'desktop' };

t.test('a link with a start time works from that time on', async (t) => {
  t.same(follow(withRules({ active_from_ms: 1001 })), { kind: 'stop', outcome: 'scheduled' });
  t.match(follow(withRules({ active_from_ms: 1000 })), { kind: 'resolved', protection: null });
  t.same(follow({ ...withRules({ active_from_ms: 1001 }), state: 'disabled' }), { kind: 'stop', outcome: 'disabled' });
});

t.test('a destination for a country replaces only destinations for browsers', async (t) => {
  const link = { destinations, ...withRules({ geo: { DE: 'https://shop.example/de' } }) };
  const led = (country: string, visitor: Visitor) => {
    const answer = follow(link, 1000, { country, visitor });
    return answer.kind === 'resolved' ? answer.resolution.destination : answer.outcome;
  };
  t.equal(led('DE', DESKTOP), 'https://shop.example/de');
  t.equal(led('DE', { ...UNKNOWN_VISITOR, platform: 'android' }), 'https://shop.example/de');
  t.equal(led('DE', IPHONE), APP_STORE);
  t.equal(led('FR', DESKTOP), 'https://shop.example/desktop');
  t.equal(led('', DESKTOP), 'https://shop.example/desktop');
  t.equal(led('constructor', DESKTOP), 'https://shop.example/desktop');
});

t.test("a destination for a country goes before the environment's default for browsers", async (t) => {
  const default_destinations = { ...NO_DESTINATIONS, web: 'https://d.example/web', desktop: 'https://d.example/desktop' };
  const settings = environmentRecord({ default_destinations });
  const link = linkRecord({ destinations: NO_DESTINATIONS, ...withRules({ geo: { DE: 'https://shop.example/de' } }) });
  const led = (country: string, visitor: Visitor) => {
    const answer = followLink(link, { ...visit, country, visitor }, { settings, campaigns: new Map() }, { nowMs: 1000 });
    return answer.kind === 'resolved' ? answer.resolution.destination : answer.outcome;
  };
  t.equal(led('DE', DESKTOP), 'https://shop.example/de');
  t.equal(led('DE', UNKNOWN_VISITOR), 'https://shop.example/de');
  t.equal(led('FR', DESKTOP), 'https://d.example/desktop');
});

t.test('a link may decide for itself whether to show the page that opens the app', async (t) => {
  const outcomeOf = (rules: Partial<LinkRules>) => {
    const answer = follow({ destinations, ...withRules(rules) }, 1000, { visitor: IPHONE });
    return answer.kind === 'resolved' ? answer.resolution.outcome : answer.outcome;
  };
  t.equal(outcomeOf({ interstitial: true }), 'to_open_page');
  t.equal(outcomeOf({ interstitial: false }), 'redirect');
  t.equal(outcomeOf({ interstitial: true, max_clicks: 1 }), 'redirect', 'a visitor who has to pass a rule is not sent over another page');
  t.equal(outcomeOf({ password: 'x' }), 'redirect');
});

t.test('a link with a click limit or password is protected, and shows a preview bot no destination', async (t) => {
  t.match(follow({ destinations, ...withRules({ max_clicks: 5 }) }), { kind: 'resolved', protection: { max_clicks: 5 } });
  t.match(follow({ destinations, ...withRules({ password: 'hash' }) }), { kind: 'resolved', protection: { password: 'hash' } });
  t.same(follow({ destinations, ...withRules({ max_clicks: 5, used_up: true }) }), { kind: 'stop', outcome: 'expired' });
  const bot: Visitor = { ...UNKNOWN_VISITOR, preview_bot: true };
  for (const rules of [{ max_clicks: 5 }, { password: 'hash' }])
    t.match(follow({ destinations, ...withRules(rules) }, 1000, { visitor: bot }), {
      kind: 'resolved',
      resolution: { outcome: 'card', destination: '' },
    });
});

t.test('a link to a URL on the block list shows a preview bot nothing, even behind a password or click limit', async (t) => {
  const blocked = { destinations: { ...NO_DESTINATIONS, web: BLOCKED_DESTINATION } };
  const bot: Visitor = { ...UNKNOWN_VISITOR, preview_bot: true };
  for (const rules of [{}, { max_clicks: 5 }, { password: 'hash' }])
    for (const visitor of [bot, DESKTOP])
      t.same(follow({ ...blocked, ...withRules(rules) }, 1000, { visitor }), { kind: 'stop', outcome: 'blocked' });
});
