import { askDns, type DnsAnswer } from './ask-dns.js';

/** Where a name leads to. */
export interface HostRecords {
  /** The name of which it is an alias (CNAME); null if it has addresses of its own, or none. */
  readonly cname: string | null;
  /** IPv4 first. */
  readonly addresses: readonly string[];
}

export type HostLookup = (name: string) => Promise<DnsAnswer<HostRecords>>;

/** `servers` are addresses with an optional port; if empty, the system's servers are asked. */
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
