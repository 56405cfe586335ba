import { type IdFormat, parseIdFormat } from '../records/id-format.js';
import type { ResourceTypeRecord, TemplateRecord } from '../records/records.js';
import type { TemplateRoute } from './compile.js';
import { schemeOf } from './destination-safety.js';
import { type DirectSlots, directItemSlots } from './direct-destination.js';
import { longestIdInUrl } from './id-length.js';
import { compileIdFormat, lengthsOf } from './id-matcher.js';
import { parsePattern } from './pattern.js';
import { encodeForUrl } from './placeholders.js';
import { type CompiledContent, compileContent, type DataObject, renderDeepLinkPath, renderRedirects } from './render.js';
import type { ResolutionSubject } from './resolve-visit.js';

/** A template with everything prepared that does not depend on the item. */
export class CompiledTemplate {
  readonly id: string;
  readonly resource_type_id: string;
  /** Key of the type. */
  readonly resource_type: string;
  readonly content: CompiledContent;
  /** The pattern before and after the id, without the first slash. */
  readonly path_start: string;
  readonly path_end: string;
  readonly #format: IdFormat;
  #directSlots = NOT_ASKED;

  constructor(record: TemplateRecord, type: ResourceTypeRecord, { content, format }: { content: CompiledContent; format: IdFormat }) {
    const [start, end] = record.path_pattern.slice(1).split('{id}') as [string, string];
    this.id = record.id;
    this.resource_type_id = type.id;
    this.resource_type = type.key;
    this.content = content;
    this.path_start = start;
    this.path_end = end;
    this.#format = format;
  }

  /**
   * The direct destinations of every item; 0 if ids of the format may contain characters that a URL has to escape.
   * Computed at the first visit, because it takes longer than everything else here, and few of 100,000 templates are
   * visited at once.
   */
  get direct_slots(): DirectSlots {
    if (this.#directSlots === NOT_ASKED) this.#directSlots = directSlotsOf(this, this.#format);
    return this.#directSlots;
  }
}

const NOT_ASKED = -1;

/** A template with an item filled in. A visit of the item's URL is resolved with it. */
export interface TemplateItem extends ResolutionSubject {
  readonly template: CompiledTemplate;
  /** As it appeared in the URL, decoded. */
  readonly id: string;
  /**
   * The URL's path in its one canonical spelling, without the first slash. Visitors may spell the same item in many
   * ways, and may use characters that no header can contain.
   */
  readonly path: string;
}

/**
 * Converts a stored template for the matcher. `data` is for the part that gives the object to an app; the link host
 * omits it. Null if this code's rules do not accept the record, for example because a newer control plane wrote it: one
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
  const content = compileContent({ deep_link_path, data, redirects, allow_param_passthrough }, type.key);
  return {
    pattern: pattern.value,
    id_matcher: compileIdFormat(idFormat.value),
    state: type.state === 'archived' ? 'resource_type_archived' : record.state,
    template: new CompiledTemplate(record, type, { content, format: idFormat.value }),
  };
}

function directSlotsOf(template: CompiledTemplate, format: IdFormat): DirectSlots {
  if (longestIdInUrl(format) !== lengthsOf(format).max_length) return 0;
  return Object.values(template.content.redirects).every(isHostFixed) ? directItemSlots(itemOf(template, ANY_ID)) : 0;
}

/** Only what follows the host depends on the id, so the id of any item will do. */
const ANY_ID = '0';

const HOST_AND_MORE = /^https?:\/\/[^/?#\\]+[/?#]/i;

/** Whether scheme and host are the same for every id. */
function isHostFixed(literals: readonly string[] | null): boolean {
  if (literals === null || literals.length === 1) return true;
  const start = literals[0] as string;
  const scheme = schemeOf(start);
  return scheme === 'http' || scheme === 'https' ? HOST_AND_MORE.test(start) : scheme !== null;
}

/** Fills an id that its format accepted into the template. */
export function itemOf(template: CompiledTemplate, id: string): TemplateItem {
  const { content } = template;
  return {
    template,
    id,
    path: template.path_start + encodeForUrl(id) + template.path_end,
    destinations: renderRedirects(content, id),
    deep_link_path: renderDeepLinkPath(content, id),
    allow_param_passthrough: content.allow_param_passthrough,
    card: null,
  };
}
