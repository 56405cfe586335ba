import t from 'tap';
import { beginFacts, newFacts } from '../../../engine/http/facts.js';
import { decideItem } from '../../../engine/visit/decide.js';
import { locate } from '../../../engine/visit/locate.js';
import type { ResourceTypeRecord, TemplateRecord } from '../../../shared/records/records.js';
import { compileTemplates } from '../../../shared/resolve/compile.js';
import { explainItem, type ItemExplanation, type ItemSetting } from '../../../shared/resolve/explain-item.js';
import { personOn } from '../../../shared/resolve/explain-resolution.js';
import { readTriedPath } from '../../../shared/resolve/explain-template.js';
import { PLATFORMS, type Platform } from '../../../shared/resolve/recognise-visitor.js';
import { templateRoute } from '../../../shared/resolve/template-route.js';
import { environmentRecord, NO_DESTINATIONS, resourceTypeRecord, tableOf, templateRecord } from '../../engine/fixtures.js';
import fc from '../../support/properties.js';

const NOW = 1_000_000;
const ENVIRONMENT = environmentRecord({
  default_destinations: { ...NO_DESTINATIONS, web: 'https://shop.example{deep_link_path}', android: 'market://details?id=a' },
});
const TYPES: readonly ResourceTypeRecord[] = [resourceTypeRecord(), resourceTypeRecord({ id: 'rt_2', key: 'old', state: 'archived' })];
const TEMPLATES: readonly TemplateRecord[] = [
  templateRecord({ path_pattern: '/p/{id}', redirects: { ...NO_DESTINATIONS, ios: 'shop://{type}/{id}' } }),
  templateRecord({ id: 'tpl_2', path_pattern: '/docs/v-{id}.html', state: 'disabled' }),
  templateRecord({ id: 'tpl_3', path_pattern: '/old/{id}', resource_type_id: 'rt_2' }),
  templateRecord({
    id: 'tpl_4',
    path_pattern: '/t/{id}/x',
    id_format: { kind: 'charset', charset: ' -~', min_length: 1, max_length: 5 },
    redirects: { ...NO_DESTINATIONS, web: 'https://w.example/{id}?q={id}', desktop: 'https://apps.apple.com/app/id1' },
    allow_param_passthrough: true,
  }),
];

function settingOf(): ItemSetting {
  const pairs = TEMPLATES.map((template) => ({
    template,
    type: TYPES.find(({ id }) => id === template.resource_type_id) as ResourceTypeRecord,
  }));
  return {
    matcher: compileTemplates(pairs.flatMap(({ template, type }) => templateRoute(template, type) ?? [])),
    archived: compileTemplates([]),
    records: new Map(pairs.map((pair) => [pair.template.id, pair])),
    settings: ENVIRONMENT,
  };
}

const SETTING = settingOf();
const TABLE = tableOf({ environments: [ENVIRONMENT], resource_types: TYPES, templates: TEMPLATES });

const segment = fc.oneof(
  fc.constantFrom('p', 'docs', 'old', 't', 'x', 'v-1.html', '42', '%34%32', 'a%2Fb', '%zz', '%ff', '.', '..', 'P', 'health'),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const itemId = fc.oneof(
  fc.nat().map(String),
  fc.string({ maxLength: 6 }).map(encodeURIComponent),
  fc.constantFrom('%zz', '%ff', '%2e%2e', '', 'x'),
);
const shaped = fc
  .tuple(fc.constantFrom('/p/#', '/p/#/', '/t/#/x', '/docs/v-#.html', '/old/#'), itemId)
  .map(([shape, id]) => shape.replace('#', () => id));
const path = fc.oneof(
  fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
  shaped,
);

/** The engine's answer to the request that the tester describes. */
function answered(text: string, platform: Platform, host: string) {
  const tried = readTriedPath(text);
  if (tried === null) return null;
  const facts = newFacts();
  beginFacts(facts, 'GET', tried.path, tried.query);
  facts.host = host;
  facts.visitor = personOn(platform);
  const target = locate(facts, TABLE);
  return { kind: target.kind, decision: target.kind === 'template' ? decideItem(facts, target, NOW) : null };
}

function explained(text: string, platform: Platform, host_role: 'link' | 'open'): ItemExplanation | null {
  const tried = readTriedPath(text);
  return tried === null
    ? null
    : explainItem({ tried, host_role, domain: null, aliased: null, visitor: personOn(platform), now_ms: NOW }, SETTING);
}

t.test('the tester always gives the same answer as the engine for a template', async (t) => {
  let matches = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        path,
        path.map((text) => `${text}?a=1&b=%20`),
      ),
      fc.constantFrom(...PLATFORMS),
      fc.constantFrom('link' as const, 'open' as const),
      (text, platform, role) => {
        const engine = answered(text, platform, role === 'link' ? ENVIRONMENT.link_host : ENVIRONMENT.open_host);
        const tester = explained(text, platform, role);
        if (engine === null || tester === null) return engine === null && tester === null;
        const last = tester.trace.at(-1);
        if (tester.match.result !== 'match') return engine.decision === null || /^(not_found|disabled)$/.test(engine.decision.outcome);
        matches++;
        const { decision } = engine;
        return (
          decision !== null &&
          last?.rule === 'answer' &&
          last.inputs.outcome === decision.outcome &&
          last.inputs.destination === (decision.destination === '' ? null : decision.destination) &&
          tester.rendered?.deep_link_path === decision.item?.deep_link_path
        );
      },
    ),
    { numRuns: 20_000 },
  );
  t.ok(matches > 1000, `${matches} matches`);
});

t.test('the trace ends with the rule that decided', async (t) => {
  for (const [text, rule] of [
    ['/p/42', 'answer'],
    ['/p/x', 'id_format'],
    ['/docs/v-1.html', 'template_state'],
    ['/old/1', 'template_state'],
    ['/none/1', 'pattern'],
  ] as const)
    t.equal(explained(text, 'ios', 'link')?.trace.at(-1)?.rule, rule, text);
  const aliased = explainItem(
    {
      tried: { path: '/p/42', host: null, query: '' },
      host_role: 'link',
      domain: null,
      aliased: 'spring',
      visitor: personOn('ios'),
      now_ms: NOW,
    },
    SETTING,
  );
  t.match(aliased, { match: { result: 'no_template', template: null }, rendered: null, resolution: null });
  t.match(aliased.trace.at(-1), { rule: 'alias', inputs: { path: '/p/42', link_path: 'spring' } });
  const elsewhere = explainItem(
    {
      tried: { path: '/p/42', host: 'a.example', query: '' },
      host_role: null,
      domain: null,
      aliased: null,
      visitor: personOn('ios'),
      now_ms: NOW,
    },
    SETTING,
  );
  t.match(elsewhere, { match: { result: 'no_template', template: null }, rendered: null });
  t.equal(elsewhere.trace.at(-1)?.rule, 'host');
});
