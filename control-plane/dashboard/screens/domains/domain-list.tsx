import { useState } from 'react';
import type { Domain } from '../../../../shared/contract/schemas/domain.js';
import { tagOfRow } from '../../api/shown-row.js';
import { Time } from '../../format/time.js';
import { rich } from '../../language/rich.js';
import { text, textOf } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Confirm } from '../../parts/dialog.js';
import { Icon } from '../../parts/icon.js';
import { Menu } from '../../parts/menu.js';
import { Page } from '../../parts/page.js';
import { Rows } from '../../parts/paged.js';
import { Row } from '../../parts/row.js';
import { Empty } from '../../parts/states.js';
import { toast, toastFailure } from '../../parts/toasts.js';
import { useRows, useWrite } from '../../session/queries.js';
import { useConnection, useMay } from '../../session/signed-in.js';
import { DomainConnection } from './domain-connection.js';
import { FAILURES, VerificationRecord } from './domain-record.js';
import { DomainSettings } from './domain-settings.js';
import { DomainWizard } from './domain-wizard.js';

/** The service looks records up repeatedly, and the list shows the latest result. */
const REFRESH_MS = 15_000;

export function DomainList() {
  const [adding, setAdding] = useState(false);
  const page = useRows('GET /domains', {}, { refreshMs: REFRESH_MS });
  const add = () => setAdding(true);
  return (
    <Page
      title={text('Domains')}
      lead={text('Your own hosts for short URLs.')}
      actions={
        <Button needs="links:write" variant="primary" onClick={add}>
          <Icon name="plus" /> {text('Add domain')}
        </Button>
      }
    >
      <Rows
        page={page}
        label={text('Domains')}
        empty={
          <Empty
            icon="domain"
            title={text('Use your own host')}
            action={
              <Button needs="links:write" onClick={add}>
                {text('Add domain')}
              </Button>
            }
          >
            {text(
              'Add it here, set the DNS record that is shown, and point the host to the link hosts. Links can use the host as soon as the record is found.',
            )}
          </Empty>
        }
      >
        {(domain) => <DomainEntry domain={domain} />}
      </Rows>
      {adding ? <DomainWizard domain={null} onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}

function DomainEntry({ domain }: { readonly domain: Domain }) {
  const [editing, setEditing] = useState(false);
  const [looking, setLooking] = useState(false);
  const [settingUp, setSettingUp] = useState(false);
  const [removing, setRemoving] = useState(false);
  const mayWrite = useMay('links:write');
  const verify = useWrite('POST /domains/{domain}/verify', {
    outdates: ['/domains'],
    onDone: ({ status, failure_reason: reason }) =>
      status === 'verified'
        ? toast(text('{hostname} is verified.', { hostname: domain.hostname }))
        : toast(reason === null ? text('Not verified yet.') : textOf(FAILURES[reason]), 'bad'),
    onFailed: toastFailure,
  });
  const isVerified = domain.status === 'verified';
  const connection = { label: text('Connection of {hostname}', { hostname: domain.hostname }), onChoose: () => setLooking(true) };
  const items = [
    ...(mayWrite ? [{ label: text('Check now'), onChoose: () => verify.mutate({ params: { domain: domain.id } }) }] : []),
    ...(isVerified ? [] : [{ ...connection, label: text('Connection') }]),
    { label: text('Pages'), onChoose: () => setEditing(true) },
    ...(mayWrite ? [{ label: text('Remove'), onChoose: () => setRemoving(true), danger: true }] : []),
  ];
  return (
    <div className="rows-entry">
      <Row
        title={domain.hostname}
        note={
          domain.last_checked_at === null
            ? text('not checked yet')
            : rich('checked {time}', { time: <Time at={domain.last_checked_at} relative /> })
        }
        status={domain.status}
        actions={<Menu label={text('More for {hostname}', { hostname: domain.hostname })} items={items} />}
      >
        {isVerified ? (
          <Button onClick={connection.onChoose} label={connection.label}>
            {text('Connection')}
          </Button>
        ) : (
          <Button needs="links:write" onClick={() => setSettingUp(true)} label={text('Set up {hostname}', { hostname: domain.hostname })}>
            {text('Set up')}
          </Button>
        )}
      </Row>
      {isVerified ? null : (
        <div className="stack entry-body">
          <VerificationRecord domain={domain} />
        </div>
      )}
      {settingUp ? <DomainWizard domain={domain} onClose={() => setSettingUp(false)} /> : null}
      {looking ? <DomainConnection domain={domain} onClose={() => setLooking(false)} /> : null}
      {editing ? <DomainSettings domain={domain} onClose={() => setEditing(false)} /> : null}
      {removing ? <RemoveDomain domain={domain} onClose={() => setRemoving(false)} /> : null}
    </div>
  );
}

function RemoveDomain({ domain, onClose }: { readonly domain: Domain; readonly onClose: () => void }) {
  const { connection } = useConnection();
  const params = { domain: domain.id };
  const remove = useWrite('DELETE /domains/{domain}', {
    outdates: ['/domains', '/links'],
    onDone: () => toast(text('{hostname} was removed.', { hostname: domain.hostname })),
  });
  return (
    <Confirm
      title={text('Remove {hostname}?', { hostname: domain.hostname })}
      confirm={text('Remove domain')}
      onConfirm={() => remove.mutateAsync({ params, ifMatch: () => tagOfRow(connection, 'GET /domains/{domain}', { params }, domain) })}
      onClose={onClose}
    >
      <p>{text("Short URLs on this host stop working immediately. The links keep working on the environment's own link host.")}</p>
    </Confirm>
  );
}
