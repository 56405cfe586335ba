import { allBinaries, binaryFault, repackFolder } from './uws-binary.js';

// Part of the build, so that machine code for any system is judged where it is installed, and not only where it is loaded.
const folder = repackFolder();
const fault = folder === null ? '' : binaryFault(folder, allBinaries(folder));
if (fault !== '') {
  console.error(fault);
  process.exit(1);
}
