import { useState } from 'react';
import type { ListedKey } from '../../../../shared/contract/schemas/key.js';
import { Time } from '../../format/time.js';
import { labelled, message, text, textOf } from '../../language/text.js';
import { Badge, StatusBadge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { CopyField } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';
import { Card } from '../../parts/page.js';
import { Paged } from '../../parts/paged.js';
import { TableFrame } from '../../parts/scrolling.js';
import { Segments } from '../../parts/segments.js';
import { Empty } from '../../parts/states.js';
import { useListFilters } from '../../session/list-filters.js';
import { useRead, useRows } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';

const STATES = [
  { value: '', label: message('Active') },
  { value: 'revoked', label: message('Revoked') },
] as const;

const NO_FILTERS: { readonly status: (typeof STATES)[number]['value'] } = { status: '' };

export const KINDS = {
  secret: message('Secret'),
  publishable: message('Publishable'),
} as const;

/** The time of a key's last use is stored once a minute. */
const REFRESH_MS = 60_000;

/** Every key of the environment, with a command to revoke it. */
export function KeyList() {
  const { settings } = useSignedIn();
  const [{ status }, change] = useListFilters('/keys', NO_FILTERS);
  const [revoked, setRevoked] = useState<ListedKey | null>(null);
  const page = useRows('GET /keys', { query: { status: status === '' ? 'active' : status } }, { refreshMs: REFRESH_MS });
  const own = useRead('GET /key', {});
  return (
    <Card
      title={text('Keys of this environment')}
      actions={<Segments label={text('State')} value={status} choices={labelled(STATES)} onChange={(status) => change({ status })} />}
    >
      <div className="stack">
        <Paged page={page} empty={<NoKeys />}>
          {(keys) => <KeyTable keys={keys} ownId={own.data?.id} onRevoke={setRevoked} />}
        </Paged>
        <p className="muted">
          {text('The last use is shown to the minute and can be up to a minute late. The same list on the command line of the service:')}
        </p>
        <CopyField text={`linkd keys list --env ${settings.id}`} label={text('Copy the command that lists keys')} />
      </div>
      {revoked === null ? null : <RevokeDialog of={revoked} isOwn={revoked.id === own.data?.id} onClose={() => setRevoked(null)} />}
    </Card>
  );
}

function NoKeys() {
  return (
    <Empty icon="key" title={text('No key found')}>
      {text('No key is in this state.')}
    </Empty>
  );
}

interface KeyTableProps {
  readonly keys: readonly ListedKey[];
  /** Id of the key of this session. */
  readonly ownId: string | undefined;
  readonly onRevoke: (key: ListedKey) => void;
}

function KeyTable({ keys, ownId, onRevoke }: KeyTableProps) {
  return (
    <TableFrame label={text('Keys of this environment')}>
      <thead>
        <tr>
          <th scope="col">{text('Key')}</th>
          <th scope="col">{text('Last used')}</th>
          <th scope="col">{text('Kind')}</th>
          <th scope="col">{text('Scopes')}</th>
          <th scope="col">{text('Created')}</th>
          <th scope="col">{text('Revocation')}</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <th scope="row" className="key-name">
              {key.name} {key.id === ownId ? <Badge tone="info">{text('this session')}</Badge> : null}
              <code>
                {key.prefix}…{key.last4}
              </code>
            </th>
            <td>{key.last_used_at === null ? text('never') : <Time at={key.last_used_at} relative />}</td>
            <td>{textOf(KINDS[key.kind])}</td>
            <td className="key-scopes">{key.scopes.length === 0 ? '–' : key.scopes.map((scope) => <code key={scope}>{scope}</code>)}</td>
            <td>
              <Time at={key.created_at} relative />
            </td>
            <td>
              {key.revoked_at === null ? (
                <Button variant="link" label={text('How to revoke {name}', { name: key.name })} onClick={() => onRevoke(key)}>
                  {text('How to revoke')}
                </Button>
              ) : (
                <>
                  <StatusBadge status={key.status} /> <Time at={key.revoked_at} relative />
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

interface RevokeDialogProps {
  readonly of: ListedKey;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

function RevokeDialog({ of: { id, name }, isOwn, onClose }: RevokeDialogProps) {
  return (
    <Dialog title={text('Revoke {name}', { name })} onClose={onClose}>
      <p>
        {text('Run this command on the host of the service. All servers refuse the key within a second, and it can never be used again.')}
      </p>
      <CopyField text={`linkd keys revoke ${id}`} label={text('Copy the command that revokes a key')} />
      {isOwn ? <p className="notice notice-warn">{text('You are signed in with this key: this page will ask for another one.')}</p> : null}
    </Dialog>
  );
}
