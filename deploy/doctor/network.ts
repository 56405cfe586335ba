import type { Finding } from '../../control-plane/cli/finding.js';
import { parseUrl } from '../../shared/base/parse-url.js';
import { judgeHostname } from '../../shared/net/public-host.js';
import { failure, ok, unchecked, warning } from './findings.js';

export interface CertificateFact {
  readonly names: readonly string[];
  readonly path: string;
  readonly notAfterMs: number;
}

export interface NetworkFacts {
  readonly nowMs: number;
  /** Null if the database could not be read. */
  readonly hosts: readonly string[] | null;
  /** The hosts among `hosts` without an address; null if DNS did not reply in time. */
  readonly unresolved: readonly string[] | null;
  /** Null without TLS_CERTIFICATES_DIR. */
  readonly certificates: {
    readonly dir: string;
    readonly found: readonly CertificateFact[];
    readonly faults: readonly { readonly path: string; readonly reason: string }[];
  } | null;
  /** Whom the engine trusts for a visitor's address: the proxies that TRUSTED_PROXIES names, everybody who connects, or nobody. */
  readonly proxies: 'by_address' | 'by_hops' | 'none';
  /** Null if it was not requested. `fault` is '' if the target was reached. */
  readonly outbound: { readonly target: string; readonly fault: string } | null;
}

const DAY_MS = 86_400_000;
/** Certificates that renew automatically do so 30 days before they expire, so with 14 days left, something is wrong. */
const EXPIRY_WARNING_MS = 14 * DAY_MS;
/** The largest number of hosts that one sentence names. */
const NAMED_MAX = 5;

export function networkFindings(facts: NetworkFacts): readonly Finding[] {
  return [dnsFinding(facts), ...certificateFindings(facts), proxiesFinding(facts), outboundFinding(facts.outbound)];
}

function dnsFinding({ hosts, unresolved }: NetworkFacts): Finding {
  if (hosts === null) return unchecked('dns', 'This check needs the link hosts, which are in the database.');
  if (unresolved === null) return unchecked('dns', 'DNS did not reply in time.');
  if (hosts.length === 0) return ok('dns', 'There are no link hosts yet.');
  if (unresolved.length > 0)
    return warning(
      'dns',
      `No address was found for ${some(unresolved)}.`,
      `${unresolved[0]}. IN CNAME <name of the engines' proxy>., or A and AAAA records, for each in its DNS zone`,
    );
  return ok('dns', hosts.length === 1 ? 'The link host has an address.' : `All ${hosts.length} link hosts have an address.`);
}

function some(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return names.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function certificateFindings({ certificates, hosts, nowMs }: NetworkFacts): readonly Finding[] {
  if (certificates === null) return [ok('certificates', 'TLS_CERTIFICATES_DIR is not set: a proxy terminates TLS.')];
  const { dir, found, faults } = certificates;
  const findings = faults.map(({ path, reason }) => failure('certificates', `${path}: ${reason}.`, installing(dir)));
  if (found.length === 0 && faults.length === 0)
    findings.push(
      failure('certificates', `${dir} holds no certificate.`, `${installing(dir)}, or TLS_CERTIFICATES_DIR= if a proxy terminates TLS`),
    );
  for (const { path, names, notAfterMs } of found) {
    const text = `The certificate ${path} for ${some(names)} ${notAfterMs <= nowMs ? 'has expired' : `expires in ${Math.floor((notAfterMs - nowMs) / DAY_MS)} days`}.`;
    if (notAfterMs <= nowMs) findings.push(failure('certificates', text, RENEWAL));
    else if (notAfterMs - nowMs < EXPIRY_WARNING_MS) findings.push(warning('certificates', text, RENEWAL));
  }
  const names = new Set(found.flatMap((certificate) => certificate.names));
  const without = (hosts ?? []).filter((host) => isPublic(host) && !isCovered(host, names));
  if (without.length > 0 && found.length > 0)
    findings.push(
      warning(
        'certificates',
        `There is no certificate for ${some(without)}.`,
        `${installing(dir)}; the folder is read again automatically`,
      ),
    );
  return findings.length > 0 ? findings : [ok('certificates', 'All certificates are usable, and every link host has one.')];
}

const RENEWAL = 'certbot renew, or renew it with your own tool';

/** The command creates the folder if it is missing. */
function installing(dir: string): string {
  return `install -D -o <user of the service> -m 600 -t ${dir} <chain>.pem <its key>.pem`;
}

function isPublic(host: string): boolean {
  return judgeHostname(host) === null;
}

/** `*.` matches one label (RFC 9525, section 6.3). */
function isCovered(host: string, names: ReadonlySet<string>): boolean {
  return names.has(host) || names.has(host.replace(/^[^.]+/, '*'));
}

function proxiesFinding({ hosts, proxies, certificates }: NetworkFacts): Finding {
  if (proxies === 'by_address') return ok('proxies', 'The proxies in front are configured.');
  if (proxies === 'by_hops')
    return unchecked(
      'proxies',
      'TRUSTED_PROXY_HOPS is set without TRUSTED_PROXIES: every client that connects can set the address of a visitor. ' +
        'Make sure that a firewall or a network policy lets only the proxies connect; this cannot be checked from here.',
    );
  if (hosts === null) return unchecked('proxies', 'This check needs the link hosts, which are in the database.');
  if (certificates !== null) return ok('proxies', 'No proxy is trusted: visitors connect to the engine, which terminates TLS itself.');
  if (!hosts.some(isPublic)) return ok('proxies', 'No proxy is trusted, and no link host is public.');
  return warning(
    'proxies',
    'Link hosts are public and no proxy is trusted: behind a proxy, all visitors would have the address of the proxy.',
    'TRUSTED_PROXIES=<addresses of the proxies>, or TRUSTED_PROXY_HOPS=<number of them>',
  );
}

function outboundFinding(outbound: NetworkFacts['outbound']): Finding {
  if (outbound === null)
    return unchecked('outbound', 'No URL was given, so no connection was made.', 'linkd doctor --outbound https://<host of a receiver>/');
  const { target, fault } = outbound;
  if (fault === '') return ok('outbound', `${target} is reached.`);
  return failure(
    'outbound',
    `${target} cannot be reached: ${fault}.`,
    `curl -v ${target} shows whether the firewall or DNS refuses it; for a host of your own network OUTBOUND_ALLOW=${originOf(target)}`,
  );
}

function originOf(target: string): string {
  return parseUrl(target)?.origin ?? '<its origin>';
}
