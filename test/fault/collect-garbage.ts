import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded into a process ahead of its own code (`--import`), collects all of its garbage twelve times a minute and moves what is
 * left together: what its memory comes to then is what it holds, whereas V8 by itself lets garbage lie for as long as there
 * is memory, and keeps pages of which little is in use.
 */
const INTERVAL_MS = 5_000;

setFlagsFromString('--expose-gc');
setFlagsFromString('--compact-on-every-full-gc');
const collect = runInNewContext('gc') as () => void;
setInterval(collect, INTERVAL_MS).unref();
