import { join } from 'node:path';
import t from 'tap';
import { checkCertificates } from '../../../engine/tls/check-certificates.js';
import { makeCertificate } from '../../support/certificates.js';

t.test('a folder needs one usable certificate, and without a folder there is nothing to check', async (t) => {
  const { certificate, key } = makeCertificate({ names: ['a.example'] });
  const dir = t.testdir({ good: { 'a.pem': certificate + key, 'broken.pem': 'x' }, keyless: { 'a.pem': certificate }, empty: {} });
  await checkCertificates('');
  await checkCertificates(join(dir, 'good'));
  for (const name of ['keyless', 'empty', 'nowhere'])
    await t.rejects(checkCertificates(join(dir, name)), {
      name: 'SettingError',
      message: new RegExp(`^TLS_CERTIFICATES_DIR cannot be used: [^\\n]*${name}[^\\n]*$`),
    });
});
