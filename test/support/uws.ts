import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ownBinary, repackFolder } from '../../engine/http/uws-binary.js';

const folder = repackFolder();

/** Why a test of uWebSockets.js is left out: it has no binary for this version of Node.js or this system. '' where it has one. */
export const UWS_MISSING =
  folder === null || existsSync(join(folder, ownBinary()))
    ? ''
    : `uWebSockets.js has no ${ownBinary()}: node:http serves the link hosts here`;
