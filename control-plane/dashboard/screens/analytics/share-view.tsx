import { type FormEvent, useState } from 'react';
import type { View, ViewShare } from '../../../../shared/contract/schemas/view.js';
import { type ApiError, tagOf } from '../../api/client.js';
import { dateAndTime, fromLocalInput, toLocalInput } from '../../format/times.js';
import { PlainField } from '../../forms/fields.js';
import { text } from '../../language/text.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { CopyField } from '../../parts/copy.js';
import { Confirm, Dialog } from '../../parts/dialog.js';
import { useLateFailure } from '../../parts/late-failure.js';
import { Refusal } from '../../parts/refusal.js';
import { Failure, Loading } from '../../parts/states.js';
import { toast } from '../../parts/toasts.js';
import { useRead, useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';

const OUTDATES = ['/views/{view}/share'] as const;
const PASSWORD_CHARACTERS_MAX = 128;

interface ShareViewProps {
  readonly view: View;
  readonly onClose: () => void;
}

/** Creates the public link of a view, and says who may open it. */
export function ShareView({ view, onClose }: ShareViewProps) {
  const share = useRead('GET /views/{view}/share', { params: { view: view.id } });
  const title = text('Share {name}', { name: view.name });
  if (share.error?.code === 'not_found') return <NewShare view={view} title={title} onClose={onClose} />;
  if (share.data !== undefined) return <Shared view={view} share={share.data} title={title} onClose={onClose} />;
  return (
    <Dialog title={title} onClose={onClose}>
      {share.error === null ? <Loading /> : <Failure error={share.error} onRetry={() => void share.refetch()} />}
    </Dialog>
  );
}

type ShareForm = ShareViewProps & { readonly title: string };

function NewShare({ view, title, onClose }: ShareForm) {
  const { timeZone } = useSignedIn();
  const [password, setPassword] = useState('');
  const [end, setEnd] = useState('');
  const create = useWrite('POST /views/{view}/share', { outdates: OUTDATES, onFailed: useLateFailure() });
  const save = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({
      params: { view: view.id },
      body: { ...(password === '' ? {} : { password }), ...(end === '' ? {} : { expires_at: fromLocalInput(end, timeZone) }) },
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        {text(
          'Anyone with the link can see the chart, the totals and the table of this view, without an account. They see nothing else and cannot change the days or filters.',
        )}
      </p>
      <form className="stack" onSubmit={save}>
        <PasswordField
          label={text('Password')}
          help={text('Optional. Readers have to enter it.')}
          value={password}
          onChange={setPassword}
          error={errorAt(create.error, '/password')}
        />
        <EndField value={end} onChange={setEnd} error={errorAt(create.error, '/expires_at')} />
        <Refusal reason={create.error?.fields.length === 0 ? create.error.message : null} />
        <div className="form-buttons">
          <Button variant="primary" type="submit" busy={create.isPending}>
            {text('Create public link')}
          </Button>
          <Button onClick={onClose}>{text('Cancel')}</Button>
        </div>
      </form>
    </Dialog>
  );
}

type SharedProps = ShareForm & { readonly share: ViewShare };

function Shared(props: SharedProps) {
  const [revoking, setRevoking] = useState(false);
  if (revoking) return <Revoke {...props} onKeep={() => setRevoking(false)} />;
  const { share, title, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <SharedLink share={share} />
      <ChangeShare {...props} onRevoke={() => setRevoking(true)} />
    </Dialog>
  );
}

function SharedLink({ share }: { readonly share: ViewShare }) {
  const { timeZone, connection } = useSignedIn();
  return (
    <>
      <CopyField text={new URL(share.path, connection.server).href} label={text('Copy the public link')} />
      <p className="share-facts side-by-side">
        {share.status === 'expired' ? <Badge tone="warn">{text('Expired')}</Badge> : <Badge tone="good">{text('Open')}</Badge>}
        {share.has_password ? <Badge tone="info">{text('Has a password')}</Badge> : <Badge tone="quiet">{text('No password')}</Badge>}
        <span className="muted">{text('Since {createdAt}', { createdAt: dateAndTime(share.created_at, timeZone) })}</span>
      </p>
    </>
  );
}

function ChangeShare({ view, share, onRevoke }: SharedProps & { readonly onRevoke: () => void }) {
  const { timeZone } = useSignedIn();
  const endBefore = toLocalInput(share.expires_at, timeZone);
  const [password, setPassword] = useState('');
  const [end, setEnd] = useState(endBefore);
  const change = { params: { view: view.id }, ifMatch: tagOf(share) };
  const update = useWrite('PATCH /views/{view}/share', {
    outdates: OUTDATES,
    onDone: () => {
      setPassword('');
      toast(text('The public link was changed.'));
    },
    onFailed: useLateFailure(),
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({
      ...change,
      body: { ...(password === '' ? {} : { password }), ...(end === endBefore ? {} : { expires_at: fromLocalInput(end, timeZone) }) },
    });
  };
  return (
    <form className="stack" onSubmit={save}>
      <PasswordField
        label={share.has_password ? text('New password') : text('Password')}
        help={share.has_password ? text('Replaces the present password at once.') : text('Readers have to enter it from now on.')}
        value={password}
        onChange={setPassword}
        error={errorAt(update.error, '/password')}
      />
      <EndField value={end} onChange={setEnd} error={errorAt(update.error, '/expires_at')} />
      <Refusal reason={update.error?.fields.length === 0 ? update.error.message : null} />
      <div className="form-buttons">
        <Button variant="primary" type="submit" busy={update.isPending} disabled={password === '' && end === endBefore}>
          {text('Save')}
        </Button>
        {share.has_password ? (
          <Button busy={update.isPending} onClick={() => update.mutate({ ...change, body: { password: null } })}>
            {text('Remove password')}
          </Button>
        ) : null}
        <Button variant="danger" onClick={onRevoke}>
          {text('Revoke link')}
        </Button>
      </div>
    </form>
  );
}

function Revoke({ view, share, onClose, onKeep }: SharedProps & { readonly onKeep: () => void }) {
  const revoke = useWrite('DELETE /views/{view}/share', {
    outdates: OUTDATES,
    onDone: () => {
      toast(text('The public link was revoked and no longer works.'));
      onClose();
    },
  });
  return (
    <Confirm
      title={text('Revoke the public link?')}
      confirm={text('Revoke link')}
      onConfirm={() => revoke.mutateAsync({ params: { view: view.id }, ifMatch: tagOf(share) })}
      onClose={onKeep}
    >
      <p>{text('The link stops working for everybody. If you share the view again, it gets a new link.')}</p>
    </Confirm>
  );
}

function errorAt(error: ApiError | null, field: '/password' | '/expires_at'): string | undefined {
  return error?.fields.find(({ pointer }) => pointer === field)?.detail;
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

function PasswordField({ label, help, value, onChange, error }: FieldProps & { readonly label: string; readonly help: string }) {
  return (
    <PlainField
      label={label}
      help={help}
      error={error}
      type="password"
      autoComplete="new-password"
      maxLength={PASSWORD_CHARACTERS_MAX}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function EndField({ value, onChange, error }: FieldProps) {
  const { timeZone } = useSignedIn();
  return (
    <PlainField
      label={text('Ends')}
      help={text('Optional, in {timeZone}. After that the link no longer works.', { timeZone })}
      error={error}
      type="datetime-local"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
