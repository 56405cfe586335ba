import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { TLS_SESSIONS_MAX } from '../base/limits.js';

/**
 * A resumed session proves the same peer without its certificate, so the certificate is verified only at the first
 * handshake. After this time there is a first one again, so that an expired or replaced certificate is not trusted for
 * longer.
 */
const VERIFIED_FOR_MS = 60 * 60 * 1000;

interface Resumable {
  readonly session: Buffer;
  /** When the certificate behind it was verified, in monotonic milliseconds. */
  readonly verifiedAtMs: number;
}

/**
 * What the TLS connections of one client share: the trusted authorities, and by origin the newest session that may be
 * resumed (RFC 8446, 2.2). Receivers that get a webhook only now and then need a new connection each time. Measured on
 * loopback, CPU time of a handshake at the client and the server in µs: 1,293 and 628 with everything created again,
 * 1,087 and 601 with shared authorities, 727 and 404 resumed.
 */
export class TlsSessions {
  /** `undefined` means the built-in authorities. */
  readonly #ca: string | undefined;
  readonly #now: () => number;
  #context: SecureContext | undefined;
  /** In the order in which they were stored, the newest last. */
  readonly #byOrigin = new Map<string, Resumable>();

  constructor(ca?: string, now: () => number = () => performance.now()) {
    this.#ca = ca;
    this.#now = now;
  }

  /** Created at the first use, because many clients never connect. */
  get context(): SecureContext {
    this.#context ??= createSecureContext(this.#ca === undefined ? {} : { ca: this.#ca });
    return this.#context;
  }

  of(origin: string): Buffer | undefined {
    const resumable = this.#byOrigin.get(origin);
    return resumable !== undefined && this.#now() < resumable.verifiedAtMs + VERIFIED_FOR_MS ? resumable.session : undefined;
  }

  /** Keeps the sessions that the peer sends on a connection whose handshake is done. */
  keepOf(socket: TLSSocket, origin: string): void {
    const verifiedAtMs = (socket.isSessionReused() ? this.#byOrigin.get(origin)?.verifiedAtMs : undefined) ?? this.#now();
    socket.on('session', (session) => {
      this.#byOrigin.delete(origin);
      this.#byOrigin.set(origin, { session, verifiedAtMs });
      const [oldest] = this.#byOrigin.keys();
      if (this.#byOrigin.size > TLS_SESSIONS_MAX && oldest !== undefined) this.#byOrigin.delete(oldest);
    });
  }

  /** Forgets the session after a handshake that failed, so that the session cannot be the cause twice. */
  forget(origin: string): void {
    this.#byOrigin.delete(origin);
  }
}
