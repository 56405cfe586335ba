import { allBinaries, judgeBinaries, uwsPackage } from './uws-binary.js';

// Part of the build, so that machine code for any system is judged where it is installed, and not only where it is loaded.
const installed = uwsPackage();
const { fault, note } = judgeBinaries(installed, allBinaries(installed));
if (fault !== '') {
  console.error(fault);
  process.exit(1);
}
if (note !== '') console.error(note);
