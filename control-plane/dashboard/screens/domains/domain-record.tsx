import type { Domain } from '../../../../shared/contract/schemas/domain.js';
import { type Message, message, text, textOf } from '../../language/text.js';
import { CopyButton } from '../../parts/copy.js';
import { Fact } from '../../parts/fact.js';

export const FAILURES: Readonly<Record<NonNullable<Domain['failure_reason']>, Message>> = {
  record_missing: message('The record was not found. A new DNS record can take a while to become visible.'),
  record_differs: message('There is a TXT record with this name, but with another value.'),
  dns_error: message('DNS did not respond.'),
  taken: message('This host is verified in another environment.'),
};

/** The record that proves who owns the domain, and what the service found when it looked the record up. */
export function VerificationRecord({ domain: { dns_record: record, failure_reason: reason } }: { readonly domain: Domain }) {
  return (
    <>
      {reason === null ? null : <p className="notice notice-warn">{textOf(FAILURES[reason])}</p>}
      <p className="muted">{text('To prove that you own the domain, add this record at its DNS provider:')}</p>
      <dl className="facts record">
        <Fact label={text('Type')}>
          <code>{record.type}</code>
        </Fact>
        <Fact label={text('Name')}>
          <code>{record.name}</code> <CopyButton text={record.name} label={text('Copy the name')} />
        </Fact>
        <Fact label={text('Value')}>
          <code>{record.value}</code> <CopyButton text={record.value} label={text('Copy the value')} />
        </Fact>
      </dl>
    </>
  );
}
