import t from 'tap';
import { linkStatus, linkUrl } from '../../../control-plane/links/link-row.js';
import { changedFields, linkFieldErrors, newLinkRow, patchedLinkRow } from '../../../control-plane/links/rules.js';
import type { LinkUrlForm } from '../../../shared/resolve/link-origin.js';

const NOW = Date.UTC(2026, 0, 1);
const row = newLinkRow({ data: { a: 1 }, destinations: { web: 'https://a.example', ios: null } }, { id: 'lnk_1', path: 'p', nowMs: NOW });

const WITHOUT_APPS = { ownSchemes: { ios: [], android: [] }, nowMs: NOW };

t.test('a new link has default values and stores only the given destinations', async (t) => {
  t.match(row, { state: 'active', deep_link_path: '/', allow_param_passthrough: false, campaign: null, expires_at: null });
  t.same(row.destinations, { web: 'https://a.example/' });
});

t.test('a change lists the fields whose value differs', async (t) => {
  for (const [patch, expected] of [
    [{}, []],
    [{ data: { a: 1 }, destinations: { web: 'https://A.example' }, utm_term: null }, []],
    [{ data: null }, ['data']],
    [{ expires_at: '2030-01-01T00:00:00Z', status: 'disabled' as const }, ['expires_at', 'status']],
    [{ comments: 'For the spring sale.' }, ['comments']],
    [{ destinations: null, allow_param_passthrough: true, campaign: 'c' }, ['campaign', 'allow_param_passthrough', 'destinations']],
  ] as const)
    t.same(changedFields(row, patchedLinkRow(row, patch)), expected);
  const expiring = patchedLinkRow(row, { expires_at: '2030-01-01T00:00:00Z' });
  t.same(
    changedFields(expiring, patchedLinkRow(expiring, { expires_at: '2030-01-01T01:00:00+01:00' })),
    [],
    'the same instant with another offset is no change',
  );
});

t.test('the rules ignore values of a wrong type', async (t) => {
  for (const body of [
    {},
    { path: 1, data: [], destinations: 'x' },
    { data: null, destinations: null },
    { destinations: { web: 1, ios: null } },
  ])
    t.same(linkFieldErrors(body, WITHOUT_APPS), []);
});

t.test('all failed rules are reported together', async (t) => {
  const errors = linkFieldErrors(
    {
      path: 'apple-app-site-association',
      data: { a: 'x'.repeat(5000) },
      destinations: { web: 'x', ios: 'javascript:1', fallback: 'app://x' },
    },
    WITHOUT_APPS,
  );
  t.same(
    errors.map(({ pointer }) => pointer),
    ['/path', '/data', '/destinations/ios', '/destinations/web', '/destinations/fallback'],
  );
});

const UNTIMED = { active_from: null, used_up_at: null };

t.test('an active link is scheduled or expired by its times and clicks, and disabled and blocked links keep their status', async (t) => {
  const expires_at = new Date(NOW);
  t.equal(linkStatus({ ...UNTIMED, state: 'active', expires_at }, NOW - 1), 'active');
  t.equal(linkStatus({ ...UNTIMED, state: 'active', expires_at }, NOW), 'expired');
  t.equal(linkStatus({ ...UNTIMED, state: 'active', expires_at: null }, NOW), 'active');
  t.equal(linkStatus({ ...UNTIMED, state: 'active', expires_at: null, used_up_at: new Date(1) }, NOW), 'expired');
  t.equal(linkStatus({ ...UNTIMED, state: 'active', expires_at: null, active_from: new Date(NOW + 1) }, NOW), 'scheduled');
  for (const state of ['disabled', 'blocked'] as const) t.equal(linkStatus({ ...UNTIMED, state, expires_at }, NOW), state);
});

t.test('a short URL omits the default port', async (t) => {
  const url = (form: LinkUrlForm) => linkUrl(form, 'go.example.com', 'p');
  t.equal(url({ scheme: 'https', port: 0 }), 'https://go.example.com/p');
  t.equal(url({ scheme: 'https', port: 443 }), 'https://go.example.com/p');
  t.equal(url({ scheme: 'http', port: 80 }), 'http://go.example.com/p');
  t.equal(url({ scheme: 'http', port: 8080 }), 'http://go.example.com:8080/p');
});
