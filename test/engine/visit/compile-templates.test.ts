import t from 'tap';
import { compileEnvironmentTemplates } from '../../../engine/visit/compile-templates.js';
import { matchTemplate } from '../../../shared/resolve/match.js';
import { resourceTypeRecord, templateRecord } from '../fixtures.js';

t.test('every environment has the templates of its own number', async (t) => {
  const types = [resourceTypeRecord(), resourceTypeRecord({ id: 'rt_2', environment_number: 2, key: 'other' })];
  const mine = templateRecord();
  const theirs = templateRecord({ id: 'tpl_2', environment_number: 2, resource_type_id: 'rt_2' });
  const { by_environment, unserved } = compileEnvironmentTemplates([mine, theirs], types);
  t.equal(unserved, 0);
  for (const [number, id] of [
    [1, mine.id],
    [2, 'tpl_2'],
  ] as const) {
    const matcher = by_environment.get(number);
    t.ok(matcher);
    if (matcher !== undefined) t.equal(matchTemplate(matcher, '/p/1').template?.id, id);
  }
  t.equal(by_environment.get(3), undefined);
});

t.test('a record that breaks the rules disables only its own template', async (t) => {
  const broken = [
    templateRecord({ id: 'tpl_2', path_pattern: '/{id}' }),
    templateRecord({ id: 'tpl_3', path_pattern: '/q/{id}/{type}' }),
    templateRecord({ id: 'tpl_4', path_pattern: '/r/{id}', id_format: { kind: 'preset', preset: 'roman' as 'numeric' } }),
    templateRecord({ id: 'tpl_5', path_pattern: '/s/{id}', resource_type_id: 'rt_of_nobody' }),
  ];
  const { by_environment, unserved } = compileEnvironmentTemplates([...broken, templateRecord()], [resourceTypeRecord()]);
  t.equal(unserved, broken.length);
  t.equal(by_environment.get(1)?.template_count, 1);
});

t.test('a template is compiled again when its record or its type changes', async (t) => {
  const record = templateRecord();
  const routeOf = (template = record, type = ACTIVE) => {
    const matcher = compileEnvironmentTemplates([template], [type]).by_environment.get(1);
    return matcher === undefined ? null : matchTemplate(matcher, '/p/1');
  };
  const first = routeOf();
  t.equal(routeOf()?.template, first?.template, 'the same records give the same compiled template');
  t.equal(routeOf(record, resourceTypeRecord({ state: 'archived' }))?.reason, 'resource_type_archived');
  t.equal(routeOf(templateRecord({ state: 'disabled' }))?.reason, 'template_disabled');
  t.equal(routeOf()?.result, 'match');
});

const ACTIVE = resourceTypeRecord();
