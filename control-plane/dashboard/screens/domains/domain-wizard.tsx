import { useState } from 'react';
import type { Domain } from '../../../../shared/contract/schemas/domain.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { message, text, textOf } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { toast, toastFailure } from '../../parts/toasts.js';
import { useRead, useWrite } from '../../session/queries.js';
import { ConnectionFacts } from './domain-connection.js';
import { FAILURES, VerificationRecord } from './domain-record.js';
import { TestedLink } from './tested-link.js';

const STEPS = [
  { name: 'host', label: message('Host name') },
  { name: 'owner', label: message('Proof of ownership') },
  { name: 'connection', label: message('Connection') },
  { name: 'link', label: message('A tested link') },
] as const;
type Step = (typeof STEPS)[number]['name'];

/** The service looks the record up by itself, and finds it sooner or later. */
const REFRESH_MS = 5000;

interface DomainWizardProps {
  /** Null if the domain is still to be added. */
  readonly domain: Domain | null;
  readonly onClose: () => void;
}

/** Leads from a host name to a working link on it. The user may leave after each step, and continue from the list. */
export function DomainWizard({ domain: given, onClose }: DomainWizardProps) {
  const [added, setAdded] = useState(given);
  const [step, setStep] = useState<Step>(given === null ? 'host' : 'owner');
  const title = added === null ? text('Add a domain') : text('Set up {hostname}', { hostname: added.hostname });
  return (
    <Dialog title={title} onClose={onClose} wide>
      <ol className="wizard-steps quiet">
        {STEPS.map(({ name, label }) => (
          <li key={name} aria-current={name === step ? 'step' : undefined}>
            {textOf(label)}
          </li>
        ))}
      </ol>
      {added === null ? (
        <HostStep
          onClose={onClose}
          onAdded={(domain) => {
            setAdded(domain);
            setStep('owner');
          }}
        />
      ) : step === 'connection' ? (
        <ConnectionStep domain={added} onClose={onClose} onDone={() => setStep('link')} />
      ) : step === 'link' ? (
        <TestedLink hostname={added.hostname} onClose={onClose} />
      ) : (
        <OwnerStep domain={added} onClose={onClose} onDone={() => setStep('connection')} />
      )}
    </Dialog>
  );
}

function HostStep({ onAdded, onClose }: { readonly onAdded: (domain: Domain) => void; readonly onClose: () => void }) {
  const create = useWrite('POST /domains', { outdates: ['/domains'] });
  const form = useDraftForm({
    name: 'domain/new',
    initial: { '/hostname': '' },
    submit: async (values) => {
      const domain = await create.mutateAsync({ body: { hostname: String(values['/hostname']).trim() } });
      toast(text('{hostname} was added. Now set its DNS record.', { hostname: domain.hostname }));
      onAdded(domain);
    },
  });
  return (
    <Form form={form} submit={text('Add domain')} onCancel={onClose}>
      <TextField
        field="/hostname"
        label={text('Host name')}
        placeholder="links.example.com"
        help={text('Without scheme or port.')}
        required
      />
    </Form>
  );
}

interface StepProps {
  readonly domain: Domain;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function OwnerStep({ domain: given, onDone, onClose }: StepProps) {
  const read = useRead('GET /domains/{domain}', { params: { domain: given.id } }, { refreshMs: REFRESH_MS });
  const verify = useWrite('POST /domains/{domain}/verify', {
    outdates: ['/domains'],
    onDone: ({ status, failure_reason: reason }) => {
      if (status !== 'verified') toast(reason === null ? text('Not verified yet.') : textOf(FAILURES[reason]), 'bad');
    },
    onFailed: toastFailure,
  });
  const domain = read.data ?? given;
  const verified = domain.status === 'verified';
  return (
    <>
      <div role="status">
        {verified ? (
          <p className="notice notice-good">{text('The record was found: {hostname} is yours.', { hostname: domain.hostname })}</p>
        ) : null}
      </div>
      {verified ? null : <VerificationRecord domain={domain} />}
      <div className="form-buttons">
        {verified ? (
          <Button variant="primary" onClick={onDone}>
            {text('Continue')}
          </Button>
        ) : (
          <Button variant="primary" busy={verify.isPending} onClick={() => verify.mutate({ params: { domain: domain.id } })}>
            {text('Check the record')}
          </Button>
        )}
        <Button onClick={onClose}>{text('Later')}</Button>
      </div>
    </>
  );
}

function ConnectionStep({ domain, onDone, onClose }: StepProps) {
  const read = useRead('GET /domains/{domain}/connection', { params: { domain: domain.id } });
  const ready = read.data?.route.status === 'correct';
  return (
    <>
      <ConnectionFacts read={read} />
      {read.isSuccess && !read.isFetching && !ready ? (
        <p className="notice notice-warn">
          {text('{hostname} does not lead to this service yet. A DNS change can take a while to become visible.', {
            hostname: domain.hostname,
          })}
        </p>
      ) : null}
      <div className="form-buttons">
        <Button variant={ready ? 'default' : 'primary'} busy={read.isFetching} onClick={() => void read.refetch()}>
          {text('Check again')}
        </Button>
        <Button variant={ready ? 'primary' : 'default'} onClick={onDone}>
          {text('Continue')}
        </Button>
        <Button onClick={onClose}>{text('Later')}</Button>
      </div>
    </>
  );
}
