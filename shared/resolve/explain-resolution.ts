import { SLOT_ORDER, type SlotTrial } from './destination.js';
import type { Parameter } from './query.js';
import type { Platform, Visitor } from './recognise-visitor.js';
import {
  destinationPlatform,
  type Resolution,
  type ResolutionSettings,
  type ResolutionSubject,
  type ResolutionTrace,
  type VisitContext,
} from './resolve-visit.js';
import { DESTINATION_REFUSAL_DETAILS } from './stored-destination.js';

/** One rule that fired, as the testers of the API list them: in the order of firing, with the inputs of the rule. */
export interface TraceStep {
  /** A stable name. */
  readonly rule: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The result, in a sentence. */
  readonly detail: string;
}

/** The step for an address that is an alias of the link with this path. */
export function aliasStep(path: string, link_path: string): TraceStep {
  const detail = 'The address is an alias of a link. Aliases take precedence over paths and URL templates.';
  return { rule: 'alias', inputs: { path, link_path }, detail };
}

/** The step for visitors who are redirected to a page of the host's owner. */
export function ownPageStep(page_url: string): TraceStep {
  const detail = 'The custom host has a page for this case: visitors are redirected to it instead (302).';
  return { rule: 'own_page', inputs: { page_url }, detail };
}

/** A person on the platform about whom nothing else is known. Testers ask about this visitor. */
export function personOn(platform: Platform): Visitor {
  return { platform, os_version: '', in_app_browser: '', preview_bot: false, bot_reason: '' };
}

const OUTCOME_DETAILS: Readonly<Record<Resolution['outcome'], string>> = {
  redirect: 'The visitor is redirected to the destination (302).',
  to_open_page: 'The visitor is redirected to the same path on the open host, whose page opens the app or the store (302).',
  to_store:
    'The button on the open page did not open the app, so the visitor is redirected to the store (302). This is not a separate click.',
  to_link: 'The visitor needs no page and is redirected from the open host to the link itself (302).',
  open_page: 'The visitor gets the page that opens the app or the store (200).',
  app_page: 'The visitor gets a page with a link, because a browser may not be redirected to a custom scheme (200).',
  no_destination: 'The visitor gets a page that names the app, because no destination is set for the platform (200).',
  card: 'The preview bot gets a card (200).',
  preview_redirect:
    'The preview bot is redirected to the web destination, and the card of that page is shown (302). This is not counted as a click.',
  blocked: 'The visitor gets the page of a blocked link, because the destination is on the block list (403).',
};

/** The steps of an answer that `resolveVisit` gave together with its trace. */
export function resolutionSteps(
  {
    context,
    subject,
    settings,
    isGeneric = false,
  }: {
    readonly context: VisitContext;
    readonly subject: ResolutionSubject;
    readonly settings: ResolutionSettings;
    /** Whether previews reveal nothing about the subject. */
    readonly isGeneric?: boolean;
  },
  resolution: Resolution,
  trace: ResolutionTrace,
): TraceStep[] {
  const platform = destinationPlatform(context.visitor);
  const steps: TraceStep[] = [
    {
      rule: 'platform',
      inputs: { platform, slots: SLOT_ORDER[platform] },
      detail: `Visitors on ${platform} are sent to the first of ${SLOT_ORDER[platform].join(', ')} that is set.`,
    },
    ...(context.visitor.preview_bot ? [cardStep(subject, isGeneric)] : []),
    ...trace.trials.map(trialStep),
    ...parameterSteps(context, subject, resolution, trace),
  ];
  if (trace.choice !== null && (trace.choice.kind !== 'web' || trace.choice.source === 'app'))
    steps.push({
      rule: 'interstitial',
      inputs: { interstitial: settings.interstitial, platform, destination_kind: trace.choice.kind },
      detail: 'If the interstitial is on, a phone whose destination is a store or a custom scheme is sent to the open host first.',
    });
  if (context.host_role === 'link_only')
    steps.push({
      rule: 'way_back',
      inputs: {},
      detail: 'The open page is not used: it leads back to this path on the link host, and there the path is an alias of another link.',
    });
  const destination = resolution.destination === '' ? null : resolution.destination;
  steps.push({ rule: 'answer', inputs: { outcome: resolution.outcome, destination }, detail: OUTCOME_DETAILS[resolution.outcome] });
  return steps;
}

function cardStep({ card }: ResolutionSubject, isGeneric: boolean): TraceStep {
  const detail = isGeneric
    ? 'A preview bot gets a generic card that reveals nothing about the link: only admitted visitors may know where it leads.'
    : card === null
      ? 'It has no card of its own: a preview bot is redirected to the web destination, or gets a generic card if there is none.'
      : 'It has a card of its own, which a preview bot gets.';
  return { rule: 'card', inputs: { card: card === null ? null : JSON.parse(card) }, detail };
}

const SOURCES = {
  link: 'own destination',
  environment: "environment's default destination",
  app: "store page of the environment's first app",
} as const;

function trialStep({ slot, source, url, refusal }: SlotTrial): TraceStep {
  const what = `The ${SOURCES[source]} for ${slot}`;
  const said =
    refusal === 'blocked'
      ? 'leads to a host or URL on the block list.'
      : url === null
        ? 'is not set.'
        : refusal === null
          ? 'is taken.'
          : `is skipped: ${DESTINATION_REFUSAL_DETAILS[refusal].detail}`;
  return { rule: 'destination', inputs: { slot, source, url, refusal }, detail: `${what} ${said}` };
}

function parameterSteps(context: VisitContext, subject: ResolutionSubject, resolution: Resolution, trace: ResolutionTrace): TraceStep[] {
  const texts = (parameters: readonly Parameter[]) => parameters.map((parameter) => parameter.text);
  const steps: TraceStep[] = [];
  if (context.utm.length > 0)
    steps.push({
      rule: 'utm',
      inputs: { fields: texts(context.utm), added: texts(trace.utm_added) },
      detail: 'UTM fields are added to an http(s) destination unless it sets them itself.',
    });
  if (context.query !== '')
    steps.push({
      rule: 'passthrough',
      inputs: {
        query: context.query,
        allow_param_passthrough: subject.allow_param_passthrough,
        params_dropped: resolution.params_dropped,
        added: texts(trace.passed_on),
      },
      detail: passthroughDetail(subject, resolution),
    });
  return steps;
}

function passthroughDetail(subject: ResolutionSubject, resolution: Resolution): string {
  if (!subject.allow_param_passthrough) return 'Query parameters are not passed on here and are ignored.';
  if (resolution.params_dropped) return 'The query is too large and is left out completely.';
  return 'Query parameters are added to an http(s) destination unless it sets them itself.';
}
