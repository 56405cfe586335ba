import { useState } from 'react';
import type { Webhook } from '../../../../shared/contract/schemas/webhook.js';
import { tagOf } from '../../api/client.js';
import { rich } from '../../language/rich.js';
import { text } from '../../language/text.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { Confirm, Dialog } from '../../parts/dialog.js';
import { useLateFailure } from '../../parts/late-failure.js';
import { useLeave } from '../../parts/leave.js';
import { Refusal } from '../../parts/refusal.js';
import { toast, toastFailure } from '../../parts/toasts.js';
import { useWrite } from '../../session/queries.js';
import { SecretDialog } from './secret-dialog.js';

type Asking = 'test' | 'rotate' | 'delete' | null;

export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const [asking, setAsking] = useState<Asking>(null);
  const params = { webhook: webhook.id };
  const test = useTest({ onFailed: toastFailure });
  const update = useWrite('PATCH /webhooks/{webhook}', { outdates: ['/webhooks'], onFailed: toastFailure });
  const next = webhook.status === 'active' ? 'disabled' : 'active';
  return (
    <>
      <Button
        needs="webhooks:write"
        busy={test.isPending}
        onClick={() => (webhook.events.length > 1 ? setAsking('test') : test.mutate({ params, body: {} }))}
      >
        {text('Send test')}
      </Button>
      <Button
        needs="webhooks:write"
        busy={update.isPending}
        onClick={() => update.mutate({ params, body: { status: next }, ifMatch: tagOf(webhook) })}
      >
        {next === 'active' ? text('Enable') : text('Disable')}
      </Button>
      <Button needs="webhooks:write" onClick={() => setAsking('rotate')}>
        {text('Rotate secret')}
      </Button>
      <Button needs="webhooks:write" variant="danger" onClick={() => setAsking('delete')}>
        {text('Delete')}
      </Button>
      <ButtonLink needs="webhooks:write" to={`/webhooks/${webhook.id}/edit`} variant="primary">
        {text('Edit')}
      </ButtonLink>
      {asking === 'test' ? <Test webhook={webhook} onClose={() => setAsking(null)} /> : null}
      {asking === 'rotate' ? <Rotate webhook={webhook} onClose={() => setAsking(null)} /> : null}
      {asking === 'delete' ? <Delete webhook={webhook} onClose={() => setAsking(null)} /> : null}
    </>
  );
}

interface AskProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

function useTest({ onDone, onFailed }: { readonly onDone?: () => void; readonly onFailed: (error: Error) => void }) {
  return useWrite('POST /webhooks/{webhook}/test', {
    outdates: ['/webhooks/{webhook}/deliveries'],
    onFailed,
    onDone: ({ event_type: type }) => {
      onDone?.();
      toast(text('A sample of {type} is being sent. The log shows the result.', { type }));
    },
  });
}

/** Sends a test event. The user chooses its type among the subscribed ones. */
function Test({ webhook, onClose }: AskProps) {
  const [type, setType] = useState(webhook.events[0]);
  const test = useTest({ onDone: onClose, onFailed: useLateFailure() });
  return (
    <Dialog title={text('Send a test event')} onClose={onClose}>
      <div className="filters">
        <label>
          {text('Type of the sample')}
          <select value={type} onChange={({ target }) => setType(target.value as Webhook['events'][number])}>
            {webhook.events.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <Refusal reason={test.error?.message ?? null} />
      <div className="form-buttons">
        <Button
          variant="primary"
          busy={test.isPending}
          onClick={() => test.mutate({ params: { webhook: webhook.id }, body: type === undefined ? {} : { event_type: type } })}
        >
          {text('Send sample')}
        </Button>
        <Button onClick={onClose}>{text('Cancel')}</Button>
      </div>
    </Dialog>
  );
}

function Rotate({ webhook, onClose }: AskProps) {
  const rotate = useWrite('POST /webhooks/{webhook}/rotate-secret', { outdates: ['/webhooks'] });
  if (rotate.data !== undefined) return <SecretDialog secret={rotate.data.secret} rotated onClose={onClose} />;
  return (
    <Confirm
      title={text('Rotate the signing secret?')}
      confirm={text('Rotate')}
      onConfirm={() => rotate.mutateAsync({ params: { webhook: webhook.id } })}
      onClose={onClose}
    >
      <p>
        {text(
          'A new secret is created and shown once. The current secret remains valid for 24 hours. A secret from an earlier rotation becomes invalid now.',
        )}
      </p>
    </Confirm>
  );
}

function Delete({ webhook, onClose }: AskProps) {
  const navigate = useLeave();
  const remove = useWrite('DELETE /webhooks/{webhook}', {
    outdates: ['/webhooks'],
    onDone: () => {
      toast(text('The endpoint was deleted.'));
      navigate('/webhooks');
    },
  });
  return (
    <Confirm
      title={text('Delete the endpoint?')}
      confirm={text('Delete endpoint')}
      onConfirm={() => remove.mutateAsync({ params: { webhook: webhook.id }, ifMatch: tagOf(webhook) })}
      onClose={onClose}
    >
      <p>
        {rich('Nothing more is sent to {url}, queued deliveries are dropped, and its log is deleted for good.', {
          url: <strong>{webhook.url}</strong>,
        })}
      </p>
    </Confirm>
  );
}
