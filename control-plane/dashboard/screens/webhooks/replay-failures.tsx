import { useState } from 'react';
import type { DeliveryListQuery, ReplayFailures as Window } from '../../../../shared/contract/schemas/webhook.js';
import { exactCount } from '../../format/numbers.js';
import { Time } from '../../format/time.js';
import { rich } from '../../language/rich.js';
import { counted, text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Confirm } from '../../parts/dialog.js';
import { toast } from '../../parts/toasts.js';
import { useWrite } from '../../session/queries.js';

interface ReplayFailuresProps {
  readonly webhookId: string;
  /** The filters of the log. */
  readonly query: DeliveryListQuery;
  readonly onDone: () => void;
}

const WEEK_MS = 7 * 86_400_000;

/** The period that the log shows, and its status filter if that is a kind of failure. */
function windowOf({ from, to, status, event_type: type }: DeliveryListQuery): Window {
  const end = to === undefined ? Date.now() : Date.parse(to);
  return {
    from: from ?? new Date(end - WEEK_MS).toISOString(),
    to: new Date(end).toISOString(),
    ...(status === 'failed' || status === 'abandoned' ? { status } : {}),
    ...(type === undefined ? {} : { event_type: type }),
  };
}

function queuedWords(queued: number): string {
  if (queued === 0) return text('There were no events to send again.');
  return counted(queued, '{count} event is being sent again.', '{count} events are being sent again.');
}

/** Sends everything again that failed within the period of the log. */
export function ReplayFailures({ webhookId, query, onDone }: ReplayFailuresProps) {
  const [window, setWindow] = useState<Window | null>(null);
  const replay = useWrite('POST /webhooks/{webhook}/deliveries/replay', {
    outdates: ['/webhooks/{webhook}/deliveries'],
    onDone: ({ queued, not_kept: notKept, next_from: from, next_to: to, next_cursor: cursor }) => {
      onDone();
      const lost = notKept === 0 ? [] : [text('No longer kept: {events}.', { events: exactCount(notKept) })];
      toast([queuedWords(queued), ...lost].join(' '));
      setWindow((before) => (from === null || to === null || cursor === null || before === null ? null : { ...before, from, to, cursor }));
    },
  });
  return (
    <>
      <Button needs="webhooks:write" onClick={() => setWindow(windowOf(query))}>
        {text('Replay failed events')}
      </Button>
      {window === null ? null : (
        <Confirm
          title={text('Replay failed events?')}
          confirm={text('Replay')}
          onConfirm={() => replay.mutateAsync({ params: { webhook: webhookId }, body: window })}
          onClose={() => setWindow(null)}
        >
          <p>
            {window.event_type === undefined
              ? rich(
                  'Each event whose last attempt failed between {from} and {to} is sent once more, with the same id, at most 1,000 at a time. Events that have been delivered since are left out.',
                  { from: <Time at={window.from} />, to: <Time at={window.to} /> },
                )
              : rich(
                  'Each {event} whose last attempt failed between {from} and {to} is sent once more, with the same id, at most 1,000 at a time. Events that have been delivered since are left out.',
                  { event: <code>{window.event_type}</code>, from: <Time at={window.from} />, to: <Time at={window.to} /> },
                )}
          </p>
        </Confirm>
      )}
    </>
  );
}
