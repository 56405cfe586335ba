import { isLastEventId } from '../../shared/contract/schemas/click-stream.js';
import type { Operations } from '../http/operation.js';
import { fieldError } from '../http/problems.js';
import type { ClickStreams } from './click-streams.js';

export function clickStreamOperations(streams: Pick<ClickStreams, 'prepare'>): Pick<Operations, 'streamClicks'> {
  return {
    streamClicks: {
      check: ({ lastEventId }) =>
        lastEventId === null || isLastEventId(lastEventId)
          ? []
          : [fieldError('header', '/Last-Event-ID', 'invalid_format', 'must be the id of an event of the stream, as it was sent')],
      async handle({ caller, query, lastEventId }) {
        const open = await streams.prepare({
          environmentId: caller.environment.id,
          keyId: caller.keyId,
          after: lastEventId ?? query.last_event_id ?? null,
        });
        return { body: { open } };
      },
    },
  };
}
