import type { ResourceTypeRecord, TemplateRecord } from '../../shared/records/records.js';
import { compileTemplates, type TemplateMatcher, type TemplateRoute } from '../../shared/resolve/compile.js';
import { type CompiledTemplate, templateRoute } from '../../shared/resolve/template-route.js';
import { memoizeList } from './memoized-lists.js';

export type EnvironmentTemplates = TemplateMatcher<CompiledTemplate>;

export interface CompiledTemplates {
  /** Keyed by the environment's number; an environment without templates is not included. */
  readonly by_environment: ReadonlyMap<number, EnvironmentTemplates>;
  /** The number of templates that are not served, because this code does not understand their record or their type is missing. */
  readonly unserved: number;
}

interface Compiled {
  readonly type: ResourceTypeRecord;
  readonly route: TemplateRoute<CompiledTemplate> | null;
}

/**
 * The result of compiling each record. The store returns the same object as long as its bytes are the same, so a table that
 * differs from the previous one in a single template compiles only that one. Compiling 100,000 templates takes a second, and no visitor is
 * answered meanwhile.
 */
const compiled = new WeakMap<TemplateRecord, Compiled>();

function routeOf(record: TemplateRecord, type: ResourceTypeRecord): TemplateRoute<CompiledTemplate> | null {
  const known = compiled.get(record);
  if (known !== undefined && known.type === type) return known.route;
  const route = templateRoute(record, type);
  compiled.set(record, { type, route });
  return route;
}

const matcherOf = memoizeList((routes: readonly TemplateRoute<CompiledTemplate>[]) => compileTemplates(routes));

interface CompiledLists {
  readonly types: readonly ResourceTypeRecord[];
  readonly templates: CompiledTemplates;
}

/** By the list of templates, which stays the same object until something in it changes. */
const compiledLists = new WeakMap<readonly TemplateRecord[], CompiledLists>();

/** Builds matchers for all environments. One whose templates are the same as the last time has the same matcher. */
export function compileEnvironmentTemplates(templates: readonly TemplateRecord[], types: readonly ResourceTypeRecord[]): CompiledTemplates {
  const known = compiledLists.get(templates);
  if (known !== undefined && known.types === types) return known.templates;
  const compiled = compileLists(templates, types);
  compiledLists.set(templates, { types, templates: compiled });
  return compiled;
}

function compileLists(templates: readonly TemplateRecord[], resourceTypes: readonly ResourceTypeRecord[]): CompiledTemplates {
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
  return { by_environment: new Map(Array.from(routes, ([number, list]) => [number, matcherOf(list)])), unserved };
}
