import { BITLY } from './sources/bitly.js';
import { BRANCH } from './sources/branch.js';
import { DUB } from './sources/dub.js';
import { FIREBASE } from './sources/firebase.js';
import { KUTT } from './sources/kutt.js';
import { OWN } from './sources/own.js';
import { REBRANDLY } from './sources/rebrandly.js';
import { SHLINK } from './sources/shlink.js';
import type { ImportSource } from './sources/source-link.js';

/** The sources from which links can be imported, by their names on the command line. */
export const SOURCES: Readonly<Record<string, ImportSource>> = {
  firebase: FIREBASE,
  bitly: BITLY,
  rebrandly: REBRANDLY,
  dub: DUB,
  shlink: SHLINK,
  kutt: KUTT,
  branch: BRANCH,
  csv: OWN,
  ndjson: OWN,
};
