import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import type { Scheduler } from '../../shared/base/scheduler.js';
import { type CertificateFault, pairCertificates } from './certificate.js';
import { lookAtFolder, readFolder } from './certificate-folder.js';
import { type CertificateSet, certificateSet, equalSets } from './certificate-set.js';

/** How often to check the folder: a renewed certificate is presented within this time. */
export const LOOK_MS = 5_000;

export interface CertificateReloaderInput {
  readonly dir: string;
  readonly clock: Clock;
  readonly schedule: Scheduler;
  readonly log: Logger;
}

export interface CertificateReloaderStats {
  readonly certificates: number;
  readonly faults: number;
  /** When the first of them expires, in milliseconds since the epoch; null if there are none. */
  readonly earliest_expiry_ms: number | null;
}

/**
 * The certificates of a folder, followed while its files change. Whatever can be used is taken. While a file in the folder is
 * broken, names that no other file covers keep the certificate that they had, and `trouble` says which file it is. If the folder
 * cannot be read, or has become empty, nothing changes.
 */
export class CertificateReloader {
  readonly #input: CertificateReloaderInput;
  #current: CertificateSet | null = null;
  #faults: readonly CertificateFault[] = [];
  /** Null if the folder has to be read whatever its stamp is. */
  #stamp: string | null = null;
  #onChange: (set: CertificateSet) => void = () => {};
  #cancel: (() => void) | null = null;
  #stopped = false;

  constructor(input: CertificateReloaderInput) {
    this.#input = input;
  }

  /** Null until there has been a certificate. */
  get current(): CertificateSet | null {
    return this.#current;
  }

  /** Reads the folder, and from then on calls `onChange` with every new set. Resolves after the first reading. */
  async start(onChange: (set: CertificateSet) => void): Promise<void> {
    await this.#look();
    this.#onChange = onChange;
    this.#lookLater();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  /** Returns what is wrong with the folder, or which certificate has expired; '' if nothing is wrong. */
  trouble(): string {
    const [fault] = this.#faults;
    const more = this.#faults.length > 1 ? ` (and ${this.#faults.length - 1} more)` : '';
    if (fault !== undefined) return `${fault.path}: ${fault.reason}${more}`;
    const now = this.#input.clock();
    const expired = [...(this.#current?.byName ?? [])].find(([, { notAfterMs }]) => notAfterMs <= now);
    return expired === undefined ? '' : `${expired[1].chainPath}: the certificate for ${expired[0]} has expired`;
  }

  stats(): CertificateReloaderStats {
    const set = this.#current;
    return {
      certificates: new Set(set?.byName.values()).size,
      faults: this.#faults.length,
      earliest_expiry_ms: set?.notAfterMs ?? null,
    };
  }

  #lookLater(): void {
    if (!this.#stopped) this.#cancel = this.#input.schedule(LOOK_MS, () => void this.#look().then(() => this.#lookLater()));
  }

  async #look(): Promise<void> {
    const { dir } = this.#input;
    try {
      const state = await lookAtFolder(dir);
      if (state.stamp === this.#stamp) return;
      const { files, faults } = await readFolder(state);
      // The stamp is from before the reading, so that what is written meanwhile is read again.
      this.#stamp = state.stamp;
      const paired = pairCertificates(files);
      this.#take(paired.certificates, [...faults, ...paired.faults]);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      this.#stamp = null;
      this.#noteFaults([{ path: dir, reason: `it cannot be read: ${code}` }]);
    }
  }

  #take(certificates: Parameters<typeof certificateSet>[0], faults: readonly CertificateFault[]): void {
    const nothing = certificates.length === 0 && faults.length === 0;
    this.#noteFaults(nothing ? [{ path: this.#input.dir, reason: 'it contains no certificate' }] : faults);
    const set = certificateSet(certificates, nothing || faults.length > 0 ? this.#current : null);
    if (set === null || (this.#current !== null && equalSets(set, this.#current))) return;
    this.#current = set;
    this.#input.log.info(
      { code: 'certificates_read', names: [...set.byName.keys()].slice(0, 20), certificates: this.stats().certificates },
      'certificates read',
    );
    this.#onChange(set);
  }

  #noteFaults(faults: readonly CertificateFault[]): void {
    const known = new Set(this.#faults.map(({ path, reason }) => path + reason));
    for (const { path, reason } of faults)
      if (!known.has(path + reason))
        this.#input.log.error(
          { code: 'certificate_unusable', path, reason },
          'a certificate file cannot be used; the previous certificate stays in use',
        );
    this.#faults = faults;
  }
}
