import { lookup } from 'node:dns/promises';
import { engineSettings } from '../../engine/settings.js';
import { pairCertificates } from '../../engine/tls/certificate.js';
import { lookAtFolder, readFolder } from '../../engine/tls/certificate-folder.js';
import { within } from '../../shared/base/within.js';
import { ConnectFailure, type ConnectWord, connectGuarded } from '../../shared/net/guarded-connector.js';
import { judgeUrl, URL_REFUSAL_DETAILS } from '../../shared/net/public-host.js';
import { TlsSessions } from '../../shared/net/tls-sessions.js';
import type { NetworkFacts } from './network.js';
import { settingOf } from './settings.js';

const DNS_TIMEOUT_MS = 5_000;
const CERTIFICATES_TIMEOUT_MS = 5_000;
const OUTBOUND_TIMEOUT_MS = 10_000;

interface Wanted {
  readonly environment: NodeJS.ProcessEnv;
  readonly hosts: readonly string[] | null;
  readonly outboundTarget: string | null;
  readonly nowMs: number;
}

export async function readNetworkFacts({ environment, hosts, outboundTarget, nowMs }: Wanted): Promise<NetworkFacts> {
  const [unresolved, certificates, outbound] = await Promise.all([
    hosts === null ? null : within(DNS_TIMEOUT_MS, findUnresolved(hosts)),
    certificatesInTime(settingOf(engineSettings.tlsCertificatesDir, environment)),
    outboundTarget === null ? null : callOut(outboundTarget, settingOf(engineSettings.outboundAllow, environment)),
  ]);
  const proxies = proxiesTrusted(environment);
  return { nowMs, hosts, unresolved, certificates, proxies, outbound };
}

function proxiesTrusted(environment: NodeJS.ProcessEnv): NetworkFacts['proxies'] {
  if (settingOf(engineSettings.trustedProxies, environment) !== null) return 'by_address';
  return settingOf(engineSettings.trustedProxyHops, environment) > 0 ? 'by_hops' : 'none';
}

/**
 * Looks names up as visitors' systems do, including the hosts file. Browsers take names below `localhost` as this machine, whatever DNS
 * says (RFC 6761, 6.3).
 */
async function findUnresolved(hosts: readonly string[]): Promise<readonly string[]> {
  const asked = hosts.filter((host) => !host.endsWith('.localhost'));
  const missing = await Promise.all(asked.map(async (host) => ((await hasAddress(host)) ? [] : [host])));
  return missing.flat();
}

async function hasAddress(host: string): Promise<boolean> {
  try {
    await lookup(host);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

/** A folder on a network file system may hang. */
async function certificatesInTime(dir: string): Promise<NetworkFacts['certificates']> {
  if (dir === '') return null;
  const certificates = await within(CERTIFICATES_TIMEOUT_MS, readCertificates(dir));
  return certificates ?? { dir, found: [], faults: [{ path: dir, reason: `no reply within ${CERTIFICATES_TIMEOUT_MS / 1000} s` }] };
}

async function readCertificates(dir: string): Promise<NetworkFacts['certificates']> {
  try {
    const { files, faults } = await readFolder(await lookAtFolder(dir));
    const paired = pairCertificates(files);
    const found = paired.certificates.map(({ names, chainPath, notAfterMs }) => ({ names, path: chainPath, notAfterMs }));
    return { dir, found, faults: [...faults, ...paired.faults] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { dir, found: [], faults: [{ path: dir, reason: `it cannot be read: ${code}` }] };
  }
}

const CONNECT_WORDS: Readonly<Record<ConnectWord, string>> = {
  dns: 'its name cannot be resolved',
  blocked_address: 'its address is not public',
  connect: 'the connection is refused',
  tls: 'its certificate is not valid',
};

/** Connects, with a TLS handshake if the URL is for TLS, and sends nothing. */
async function callOut(target: string, allow: readonly string[]): Promise<NetworkFacts['outbound']> {
  const judged = judgeUrl(target, allow);
  if (judged.verdict === 'refused') return { target, fault: `the URL ${URL_REFUSAL_DETAILS[judged.reason]}` };
  const signal = AbortSignal.timeout(OUTBOUND_TIMEOUT_MS);
  try {
    (await connectGuarded(judged.url, { allow, tls: new TlsSessions() }, signal)).destroy();
    return { target, fault: '' };
  } catch (error) {
    if (!(error instanceof ConnectFailure)) throw error;
    return { target, fault: signal.aborted ? `no reply within ${OUTBOUND_TIMEOUT_MS / 1000} s` : CONNECT_WORDS[error.word] };
  }
}
