import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded into a process ahead of its own code (`--import`), collects all of its garbage a few times a minute: what its memory
 * comes to then is what it holds, whereas V8 by itself lets garbage lie for as long as there is memory.
 */
const INTERVAL_MS = 10_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
setInterval(collect, INTERVAL_MS).unref();
