import { parseIdFormat } from '../records/id-format.js';
import type { ResourceTypeRecord, TemplateRecord } from '../records/records.js';
import type { TemplateRoute } from './compile.js';
import { compileIdFormat } from './id-matcher.js';
import { parsePattern } from './pattern.js';
import { encodeForUrl } from './placeholders.js';
import { type CompiledContent, compileContent, type DataObject, renderDeepLinkPath, renderRedirects } from './render.js';
import type { ResolutionSubject } from './resolve-visit.js';

/** A template with everything done that does not depend on the item. */
export interface CompiledTemplate {
  readonly id: string;
  readonly resource_type_id: string;
  /** Key of the type. */
  readonly resource_type: string;
  readonly content: CompiledContent;
  /** The pattern around the id, without the first slash. */
  readonly path_start: string;
  readonly path_end: string;
}

/** A template with an item filled in: what a visit of its URL is resolved by. */
export interface TemplateItem extends ResolutionSubject {
  readonly template: CompiledTemplate;
  /** As it appeared in the URL, decoded. */
  readonly id: string;
  /**
   * The URL's path in its one canonical spelling, without the first slash. What the visitor typed may spell the same item
   * in many ways, and may hold what no header can.
   */
  readonly path: string;
}

/**
 * A stored template as the matcher takes it. `data` is for the part that hands the object to an app; the link host does not.
 * Null where the record is none that this code's rules accept, such as one that a newer control plane wrote: one
 * template of one customer must not keep everybody's table from being built.
 */
export function templateRoute(
  record: TemplateRecord,
  type: ResourceTypeRecord,
  data: DataObject | null = null,
): TemplateRoute<CompiledTemplate> | null {
  const pattern = parsePattern(record.path_pattern);
  const idFormat = parseIdFormat(record.id_format);
  if (!pattern.ok || !idFormat.ok) return null;
  const { deep_link_path, redirects, allow_param_passthrough } = record;
  const [path_start, path_end] = record.path_pattern.slice(1).split('{id}') as [string, string];
  return {
    pattern: pattern.value,
    id_matcher: compileIdFormat(idFormat.value),
    state: type.state === 'archived' ? 'resource_type_archived' : record.state,
    template: {
      id: record.id,
      resource_type_id: type.id,
      resource_type: type.key,
      content: compileContent({ deep_link_path, data, redirects, allow_param_passthrough }, type.key),
      path_start,
      path_end,
    },
  };
}

/** The template with an id that its format accepted. */
export function itemOf(template: CompiledTemplate, id: string): TemplateItem {
  const { content } = template;
  return {
    template,
    id,
    path: template.path_start + encodeForUrl(id) + template.path_end,
    destinations: renderRedirects(content, id),
    deep_link_path: renderDeepLinkPath(content, id),
    allow_param_passthrough: content.allow_param_passthrough,
  };
}
