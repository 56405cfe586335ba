import type { DomainRecord, ResourceTypeRecord, TemplateRecord } from '../records/records.js';
import type { TemplateMatcher } from './compile.js';
import { aliasStep, ownPageStep, resolutionSteps, type TraceStep } from './explain-resolution.js';
import { type ExplainedMatch, explainPath, type TriedPath } from './explain-template.js';
import { NO_MATCH } from './match.js';
import { ownPage } from './own-page.js';
import type { Visitor } from './recognise-visitor.js';
import { renderContent, type TemplateContent } from './render.js';
import {
  newResolutionTrace,
  type Resolution,
  type ResolutionSettings,
  resolveVisit,
  type VisitContext,
  type VisitedHost,
} from './resolve-visit.js';
import { type CompiledTemplate, itemOf } from './template-route.js';

/** A question about a URL or path. */
export interface ItemQuestion {
  readonly tried: TriedPath;
  /** Which of the environment's two kinds of host is asked; null if the URL's host is neither. */
  readonly host_role: VisitedHost | null;
  /** The settings of a custom host; null for any other host. */
  readonly domain: DomainRecord | null;
  /** The path of the link that has the address as an alias; null if none has. */
  readonly aliased: string | null;
  readonly visitor: Visitor;
  readonly now_ms: number;
}

/** The environment that the question is about. */
export interface ItemSetting {
  readonly matcher: TemplateMatcher<CompiledTemplate>;
  /** Templates whose patterns were freed. */
  readonly archived: TemplateMatcher<CompiledTemplate>;
  /** The records of the templates of `matcher`, by id. */
  readonly records: ReadonlyMap<string, { readonly template: TemplateRecord; readonly type: ResourceTypeRecord }>;
  readonly settings: ResolutionSettings;
}

export interface ItemExplanation {
  readonly match: ExplainedMatch<CompiledTemplate>;
  /** Null unless it is a match. */
  readonly rendered: TemplateContent | null;
  /** Null unless it is a match. A preview bot gets this answer if the type has no active metadata API. */
  readonly resolution: Resolution | null;
  readonly trace: readonly TraceStep[];
}

const ANOTHER_HOST: ExplainedMatch<CompiledTemplate> = {
  ...NO_MATCH,
  detail: 'The host of the URL does not belong to this environment.',
};

/**
 * Returns what the visitor gets, from the functions that answer visitors (`matchTemplate`, `itemOf`, `resolveVisit`),
 * and every rule that fired on the way.
 */
export function explainItem(question: ItemQuestion, setting: ItemSetting): ItemExplanation {
  const { tried, host_role, domain, aliased, visitor, now_ms } = question;
  const { host, path, query } = tried;
  const role = host_role === 'link_only' ? 'link' : host_role;
  const trace: TraceStep[] = [
    { rule: 'url', inputs: { host, path, query }, detail: 'The text was converted to the form that a browser sends.' },
  ];
  if (host !== null)
    trace.push({
      rule: 'host',
      inputs: { host, host_role: role },
      detail: role === null ? ANOTHER_HOST.detail : `The host is the ${role} host of this environment.`,
    });
  if (host_role === null) return { match: ANOTHER_HOST, rendered: null, resolution: null, trace };
  if (aliased !== null) {
    const step = aliasStep(path, aliased);
    return { match: { ...NO_MATCH, detail: step.detail }, rendered: null, resolution: null, trace: [...trace, step] };
  }
  const match = explainPath(setting.matcher, setting.archived, path);
  trace.push(...matchSteps(match, path, setting));
  if (match.result !== 'match') {
    // Whether a path without a template leads nowhere depends on links, which have a test of their own.
    const page_url = match.template === null ? null : ownPage('not_found', path, domain);
    const pageSteps = page_url === null ? [] : [ownPageStep(page_url)];
    const detail = [match.detail, ...pageSteps.map((step) => step.detail)].join(' ');
    return { match: { ...match, detail }, rendered: null, resolution: null, trace: [...trace, ...pageSteps] };
  }
  const item = itemOf(match.template, match.id);
  const context: VisitContext = { visitor, query, now_ms, host_role, utm: [] };
  const resolutionTrace = newResolutionTrace();
  const resolution = resolveVisit(context, item, setting.settings, resolutionTrace);
  trace.push(...resolutionSteps({ context, subject: item, settings: setting.settings }, resolution, resolutionTrace));
  return { match, rendered: renderContent(match.template.content, item.id), resolution, trace };
}

function matchSteps(match: ExplainedMatch<CompiledTemplate>, path: string, setting: ItemSetting): TraceStep[] {
  const { template, id, reason, detail } = match;
  const record = template === null ? undefined : setting.records.get(template.id);
  if (template === null || record === undefined)
    return [{ rule: 'pattern', inputs: { path, path_pattern: null, template_id: null }, detail }];
  const steps: TraceStep[] = [
    {
      rule: 'pattern',
      inputs: { path, path_pattern: record.template.path_pattern, template_id: template.id },
      detail: 'The path matches the pattern of a template.',
    },
    {
      rule: 'template_state',
      inputs: { status: record.template.state, resource_type_status: record.type.state },
      detail: match.result === 'no_template' ? detail : 'The template is active, and so is its resource type.',
    },
  ];
  if (match.result === 'no_template') return steps;
  steps.push({ rule: 'id_format', inputs: { id, id_format: record.template.id_format, fault: reason === '' ? null : reason }, detail });
  if (match.result === 'match')
    steps.push({ rule: 'rendering', inputs: { id, type: template.resource_type }, detail: 'The id and the type were filled in.' });
  return steps;
}
