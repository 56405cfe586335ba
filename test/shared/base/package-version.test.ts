import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { packageVersion } from '../../../shared/base/package-version.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

t.test('the version of a package', (t) => {
  const file = join(temporaryFolder(t), 'package.json');
  writeFileSync(file, '{"name":"a","version":"1.2.3"}');
  t.equal(packageVersion(pathToFileURL(file)), '1.2.3');
  t.end();
});
