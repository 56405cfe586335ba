import { appendFileSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { allBinaries, binaryFault, ownBinary, repackFolder } from '../../../engine/http/uws-binary.js';
import { UWS_MISSING } from '../../support/uws.js';

const FOLDER = repackFolder() ?? '';

t.test('the machine code for every system is the one that was reviewed', async (t) => {
  const files = allBinaries(FOLDER);
  t.equal(files.length, 12, 'six systems, two versions of Node.js');
  t.equal(binaryFault(FOLDER, files), '');
});

t.test(
  'a file that was changed, is missing or is not known is named with the command that repairs it',
  { skip: UWS_MISSING },
  async (t) => {
    const folder = t.testdir();
    const file = ownBinary();
    copyFileSync(join(FOLDER, file), join(folder, file));
    t.equal(binaryFault(folder, [file]), '');
    appendFileSync(join(folder, file), '\0');
    t.equal(binaryFault(folder, [file]), `${file} of uWebSockets.js is not the known file; install it again with: npm ci`);
    rmSync(join(folder, file));
    t.match(binaryFault(folder, [file]), file);
    copyFileSync(join(FOLDER, file), join(folder, 'uws_plan9_x64_127.node'));
    t.match(binaryFault(folder, allBinaries(folder)), /uws_plan9_x64_127\.node/);
  },
);

t.test('uWebSockets.js from its authors has no such folder', async (t) => {
  const folder = t.testdir();
  t.equal(repackFolder(join(folder, 'uws.js')), null);
  mkdirSync(join(folder, 'bin'));
  t.equal(repackFolder(join(folder, 'uws.js')), join(folder, 'bin'));
});
