import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ownBinary, uwsPackage } from '../../engine/http/uws-binary.js';

/** Why a test of uWebSockets.js is left out: it has no binary for this version of Node.js or this system. '' if it has one. */
export const UWS_MISSING = existsSync(join(uwsPackage().folder, ownBinary()))
  ? ''
  : `uWebSockets.js has no ${ownBinary()}: node:http serves the link hosts here`;
