import { systemClock } from '../../shared/base/clock.js';
import { createLogger } from '../../shared/base/log.js';
import { systemScheduler } from '../../shared/base/scheduler.js';
import { SettingError } from '../../shared/base/settings.js';
import { CertificateReloader } from './certificate-reloader.js';

/**
 * Throws `SettingError` if the folder of TLS_CERTIFICATES_DIR has no usable certificate, which stops a start. Later, the processes keep the
 * certificates that they have.
 */
export async function checkCertificates(dir: string): Promise<void> {
  if (dir === '') return;
  const source = new CertificateReloader({
    dir,
    clock: systemClock,
    schedule: systemScheduler,
    log: createLogger('engine', 'silent'),
  });
  await source.start(() => {});
  source.stop();
  if (source.current === null) throw new SettingError(`TLS_CERTIFICATES_DIR cannot be used: ${source.trouble()}`);
}
