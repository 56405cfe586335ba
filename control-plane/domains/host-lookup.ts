import { askDns, type DnsAnswer } from './ask-dns.js';

/** Where a name leads. */
export interface HostRecords {
  /** The name that it is another name of; null if it has addresses of its own, or none. */
  readonly cname: string | null;
  /** IPv4 first. */
  readonly addresses: readonly string[];
}

export type HostLookup = (name: string) => Promise<DnsAnswer<HostRecords>>;

/** `servers` are addresses with an optional port; none asks the system's servers. */
export function createHostLookup(servers: readonly string[]): HostLookup {
  return async (name) => {
    const [cname, four, six] = await Promise.all([
      askDns(servers, (resolver) => resolver.resolveCname(name)),
      askDns(servers, (resolver) => resolver.resolve4(name)),
      askDns(servers, (resolver) => resolver.resolve6(name)),
    ]);
    const records = { cname: recordsOf(cname)[0] ?? null, addresses: [...recordsOf(four), ...recordsOf(six)] };
    if (records.cname !== null || records.addresses.length > 0) return { kind: 'answered', records };
    return [four, six].find((answer) => answer.kind === 'failed') ?? { kind: 'none' };
  };
}

function recordsOf(answer: DnsAnswer<readonly string[]>): readonly string[] {
  return answer.kind === 'answered' ? answer.records : [];
}
