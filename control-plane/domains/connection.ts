import type { DomainConnection } from '../../shared/contract/schemas/domain-connection.js';
import type { DnsAnswer } from './ask-dns.js';
import type { HostLookup, HostRecords } from './host-lookup.js';
import type { HostProbe } from './host-probe.js';

export interface ConnectionCheck {
  readonly lookUpHost: HostLookup;
  readonly probeHost: HostProbe;
}

/** The DNS records to set for the host, and what the host's DNS and server return now. `origin` is the origin of the host's short URLs. */
export async function connectionOf(
  { hostname, origin, linkHost }: { readonly hostname: string; readonly origin: string; readonly linkHost: string },
  { lookUpHost, probeHost }: ConnectionCheck,
): Promise<DomainConnection> {
  const [here, wanted] = await Promise.all([lookUpHost(hostname), lookUpHost(linkHost)]);
  const { cname, addresses } = recordsOf(here);
  const wantedAddresses = recordsOf(wanted).addresses;
  const leadsHere = cname === linkHost || addresses.some((address) => wantedAddresses.includes(address));
  return {
    dns_records: [
      { type: 'CNAME', name: hostname, value: linkHost },
      ...wantedAddresses.map((value) => ({ type: value.includes(':') ? ('AAAA' as const) : ('A' as const), name: hostname, value })),
    ],
    dns: {
      status: here.kind === 'answered' ? (leadsHere ? 'correct' : 'elsewhere') : DNS_STATUS[here.kind],
      cname,
      addresses: [...addresses],
    },
    ...(await probeHost(origin, addresses)),
  };
}

const DNS_STATUS = { none: 'missing', failed: 'no_answer' } as const;

function recordsOf(answer: DnsAnswer<HostRecords>): HostRecords {
  return answer.kind === 'answered' ? answer.records : { cname: null, addresses: [] };
}
