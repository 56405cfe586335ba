import { planTrackedEvent, type TrackedEventDependencies } from '../events/plan-tracked-event.js';
import { trackedEventErrors } from '../events/tracked-event.js';
import type { Operations } from '../http/operation.js';
import { refuse } from '../http/problems.js';
import { linkErrors } from '../links/checks.js';
import { createLink } from '../links/create-link.js';
import { resolveUrl } from './delivered.js';
import { type OpenDependencies, planOpen } from './opens.js';

export type AppDependencies = OpenDependencies & TrackedEventDependencies;

type AppOperations = Pick<Operations, 'createSdkLink' | 'resolveSdkUrl' | 'recordSdkOpen' | 'trackSdkEvent'>;

/** The operations that apps and browsers may call with a publishable key. */
export function appOperations(dependencies: AppDependencies): AppOperations {
  const { form } = dependencies;
  return {
    createSdkLink: {
      check: async ({ body, caller, nowMs }, database) =>
        (await linkErrors(database, caller.environment.id, [appFields(body)], nowMs))[0] ?? [],
      async handle(call, database) {
        const { link, feed } = await createLink({ ...call, body: appFields(call.body) }, database, form);
        return { body: link, committed: { feed } };
      },
    },
    resolveSdkUrl: {
      async handle({ body, caller, nowMs }, database) {
        const resolved = await resolveUrl(database, { caller, nowMs, form }, body.url);
        if (resolved.kind === 'nothing') throw refuse('not_found', resolved.detail);
        return { body: resolved.delivered };
      },
    },
    recordSdkOpen: {
      plan: (call, database) => planOpen(call, database, dependencies),
    },
    trackSdkEvent: {
      check: ({ body, nowMs }) => trackedEventErrors(body, nowMs),
      plan: (call, database) => planTrackedEvent(call, database, 'sdk', dependencies),
    },
  };
}

const APP_FIELDS = ['deep_link_path', 'data', 'campaign'] as const;

/** Picks the members one by one, so that nothing else in an app's body becomes part of a link, even if the schema comes to allow it. */
function appFields<Body extends { readonly [Field in (typeof APP_FIELDS)[number]]?: unknown }>(
  body: Body,
): Pick<Body, (typeof APP_FIELDS)[number]> {
  const given = APP_FIELDS.filter((field) => body[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, body[field]])) as Pick<Body, (typeof APP_FIELDS)[number]>;
}
