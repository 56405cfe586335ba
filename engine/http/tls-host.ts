import type { Clock } from '../../shared/base/clock.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import type { Scheduler } from '../../shared/base/scheduler.js';
import { CertificateReloader, type CertificateReloaderStats } from '../tls/certificate-reloader.js';
import type { CertificateSet } from '../tls/certificate-set.js';
import { listenTls } from './listen.js';
import type { ListenerKind, ListenOptions, TlsListener } from './listener.js';

export interface TlsHostInput extends ListenOptions {
  readonly kind: ListenerKind;
  readonly certificatesDir: string;
  readonly clock: Clock;
  readonly schedule: Scheduler;
}

/**
 * The link hosts over TLS, for one process: a listener that presents the certificates in the folder. Without any certificate it
 * does not listen, reports that, and begins to listen as soon as there is one. Plain HTTP does not wait for it.
 */
export class TlsHost {
  readonly #input: TlsHostInput;
  readonly #source: CertificateReloader;
  #listener: TlsListener | null = null;
  /** Why the newest certificates are not presented, or ''. */
  #failure = '';
  /** Settles when the sets that were read so far are in use. Sets are put in use one after the other. */
  #taking: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(input: TlsHostInput) {
    this.#input = input;
    this.#source = new CertificateReloader({ dir: input.certificatesDir, clock: input.clock, schedule: input.schedule, log: input.log });
  }

  /** Resolves to the port, or to 0 if there is no certificate yet; rejects if the port is unavailable. */
  async start(): Promise<number> {
    await this.#source.start((set) => {
      this.#taking = this.#taking.then(() => this.#take(set));
    });
    const { current } = this.#source;
    if (current !== null) this.#listener = await this.#open(current);
    return this.#listener?.port ?? 0;
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stopping = true;
    this.#source.stop();
    await this.#taking;
    await this.#listener?.stop(deadlineMs);
  }

  connections(): number {
    return this.#listener?.connections() ?? 0;
  }

  health(): PartHealth {
    const reason = this.#failure || this.#source.trouble() || (this.#listener === null ? 'there is no certificate' : '');
    return { part: 'tls', ok: reason === '', reason };
  }

  stats(): CertificateReloaderStats {
    return this.#source.stats();
  }

  #open(set: CertificateSet): Promise<TlsListener> {
    return listenTls(this.#input.kind, this.#input, set);
  }

  /** Puts a set in use. If the listener refuses it, the previous one stays in use. */
  async #take(set: CertificateSet): Promise<void> {
    if (this.#stopping) return;
    try {
      if (this.#listener === null) this.#listener = await this.#open(set);
      else await this.#listener.present(set);
      this.#failure = '';
    } catch (error) {
      this.#failure = `the certificates that were read last cannot be used: ${error instanceof Error ? error.message : String(error)}`;
      this.#input.log.error(
        { code: 'certificates_unpresentable', err: error },
        'certificates cannot be used; the previous ones stay in use',
      );
    }
  }
}
