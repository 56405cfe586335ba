import type { ResourceTypeRecord, TemplateRecord } from '../../shared/records/records.js';
import { compileTemplates, type TemplateMatcher, type TemplateRoute } from '../../shared/resolve/compile.js';
import { type CompiledTemplate, templateRoute } from '../../shared/resolve/template-route.js';

export type EnvironmentTemplates = TemplateMatcher<CompiledTemplate>;

export interface CompiledTemplates {
  /** By the environment's number; an environment without templates is not in it. */
  readonly by_environment: ReadonlyMap<number, EnvironmentTemplates>;
  /** Templates that are not served: their record is none this code understands, or their type is missing. */
  readonly unserved: number;
}

interface Compiled {
  readonly type: ResourceTypeRecord;
  readonly route: TemplateRoute<CompiledTemplate> | null;
}

/**
 * What was made of a record. The store gives the same object for as long as its bytes are the same, so that a table that
 * differs in one template from the one before compiles that one: 100,000 take a second to compile, a tenth of one to put together again, and no visitor is answered meanwhile.
 */
const compiled = new WeakMap<TemplateRecord, Compiled>();

function routeOf(record: TemplateRecord, type: ResourceTypeRecord): TemplateRoute<CompiledTemplate> | null {
  const known = compiled.get(record);
  if (known !== undefined && known.type === type) return known.route;
  const route = templateRoute(record, type);
  compiled.set(record, { type, route });
  return route;
}

/** The matchers of all environments, built new. */
export function compileEnvironmentTemplates(
  templates: readonly TemplateRecord[],
  resourceTypes: readonly ResourceTypeRecord[],
): CompiledTemplates {
  const types = new Map(resourceTypes.map((type) => [type.id, type]));
  const routes = new Map<number, TemplateRoute<CompiledTemplate>[]>();
  let unserved = 0;
  for (const record of templates) {
    const type = types.get(record.resource_type_id);
    const route = type === undefined ? null : routeOf(record, type);
    if (route === null) {
      unserved++;
      continue;
    }
    const known = routes.get(record.environment_number);
    if (known === undefined) routes.set(record.environment_number, [route]);
    else known.push(route);
  }
  return { by_environment: new Map(Array.from(routes, ([number, list]) => [number, compileTemplates(list)])), unserved };
}
