import type { UseQueryResult } from '@tanstack/react-query';
import type { Domain } from '../../../../shared/contract/schemas/domain.js';
import type { DomainConnection as Connection } from '../../../../shared/contract/schemas/domain-connection.js';
import type { ApiError } from '../../api/client.js';
import { Time } from '../../format/time.js';
import { rich } from '../../language/rich.js';
import { type Message, message, text, textOf } from '../../language/text.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';
import { Fact } from '../../parts/fact.js';
import { Failure, Loading } from '../../parts/states.js';
import { useRead } from '../../session/queries.js';

type Words<Status extends string> = Readonly<Record<Status, readonly [tone: Tone, words: Message]>>;

const DNS: Words<Connection['dns']['status']> = {
  correct: ['good', message('leads here')],
  elsewhere: ['warn', message('leads elsewhere')],
  missing: ['warn', message('no record')],
  no_answer: ['warn', message('DNS did not respond')],
};

const ROUTE: Words<Connection['route']['status']> = {
  correct: ['good', message('this service responds')],
  other_server: ['bad', message('another server responds')],
  unreachable: ['bad', message('no response')],
};

const ROUTE_ERRORS: Readonly<Record<NonNullable<Connection['route']['error']>, Message>> = {
  no_address: message('The host has no address yet.'),
  blocked_address: message('The address of the host is not public. It cannot be reached from outside its network.'),
  connection_failed: message('The connection failed.'),
  timeout: message('There was no response within 5 seconds.'),
};

const CERTIFICATE: Words<NonNullable<Connection['certificate']>['status']> = {
  valid: ['good', message('valid')],
  expired: ['bad', message('expired')],
  other_host: ['bad', message('for another host')],
  untrusted: ['bad', message('not trusted by browsers')],
};

interface DomainConnectionProps {
  readonly domain: Domain;
  readonly onClose: () => void;
}

/** The DNS records to set for a domain, and what is there at the moment. */
export function DomainConnection({ domain, onClose }: DomainConnectionProps) {
  const read = useRead('GET /domains/{domain}/connection', { params: { domain: domain.id } });
  return (
    <Dialog title={text('Connection of {hostname}', { hostname: domain.hostname })} onClose={onClose} wide>
      <ConnectionFacts read={read} />
      <div className="form-buttons">
        <Button busy={read.isFetching} onClick={() => void read.refetch()}>
          {text('Check again')}
        </Button>
        <Button onClick={onClose}>{text('Close')}</Button>
      </div>
    </Dialog>
  );
}

/** The DNS records to set, and what is there now. */
export function ConnectionFacts({ read }: { readonly read: UseQueryResult<Connection, ApiError> }) {
  if (read.isFetching) return <Loading lines={6} />;
  if (read.isError) return <Failure error={read.error} />;
  if (!read.isSuccess) return null;
  const { dns_records: records, dns, route, certificate } = read.data;
  const [cname, ...addresses] = records;
  return (
    <>
      <h3>{text('DNS record to set')}</h3>
      <dl className="facts record">{cname === undefined ? null : <DnsRecord record={cname} />}</dl>
      {addresses.length === 0 ? null : (
        <>
          <p className="muted">{text('At the apex of a zone, where no CNAME is allowed, set these instead:')}</p>
          <dl className="facts record">
            {addresses.map((record) => (
              <DnsRecord key={record.value} record={record} />
            ))}
          </dl>
        </>
      )}
      <h3>{text('Current state')}</h3>
      <dl className="facts">
        <Fact label={text('DNS')}>
          <Status words={DNS[dns.status]} /> {[dns.cname, ...dns.addresses].filter((part) => part !== null).join(', ')}
        </Fact>
        <Fact label={text('Server')}>
          <Status words={ROUTE[route.status]} /> {route.error === null ? null : textOf(ROUTE_ERRORS[route.error])}
        </Fact>
        <Fact label={text('Certificate')}>
          {certificate === null ? (
            text('none')
          ) : (
            <>
              <Status words={CERTIFICATE[certificate.status]} />{' '}
              {certificate.issuer === null
                ? rich('until {time}', { time: <Time at={certificate.expires_at} /> })
                : rich('by {issuer}, until {time}', { issuer: certificate.issuer, time: <Time at={certificate.expires_at} /> })}
            </>
          )}
        </Fact>
      </dl>
      {dns.status === 'elsewhere' && route.status === 'correct' ? (
        <p className="muted">{text('There is a proxy between this host and the service. Links on the host work.')}</p>
      ) : null}
    </>
  );
}

function Status({ words: [tone, words] }: { readonly words: readonly [tone: Tone, words: Message] }) {
  return <Badge tone={tone}>{textOf(words)}</Badge>;
}

function DnsRecord({ record: { type, name, value } }: { readonly record: Connection['dns_records'][number] }) {
  return (
    <Fact label={type}>
      <code>{name}</code> <CopyButton text={name} label={text('Copy the name of {value}', { value })} /> <code>{value}</code>{' '}
      <CopyButton text={value} label={text('Copy {value}', { value })} />
    </Fact>
  );
}
