import type { Operations } from '../http/operation.js';
import { originOf } from '../links/view.js';
import { insertTrackedEvent, newTrackedEvent, trackedEventErrors } from './tracked-event.js';

type EventOperations = Pick<Operations, 'trackEvent'>;

/** `deliveriesQueued` says that deliveries were committed with no feed row beside them. */
export function eventOperations({ deliveriesQueued }: { readonly deliveriesQueued: () => void }): EventOperations {
  return {
    trackEvent: {
      check: ({ body, nowMs }) => trackedEventErrors(body, nowMs),
      async handle(call, database) {
        const { tracked, event } = newTrackedEvent(call.body, 'server', originOf(call));
        await insertTrackedEvent(database, call.caller.environment.id, tracked, event);
        return { body: tracked, afterCommit: deliveriesQueued };
      },
    },
  };
}
