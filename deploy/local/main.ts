import { keepFilesPrivate } from '../../shared/base/private-files.js';
import { SettingError } from '../../shared/base/settings.js';
import { type Running, startService, type Undo } from './service.js';
import { readLocalStart, readParameters, USAGE } from './settings.js';
import { StartError } from './start-error.js';

/** npm passes a terminal's Ctrl-C on to its child, which then gets it twice; a person needs longer than this for a second one. */
const SECOND_SIGNAL_MS = 1000;

/** `npm start`: the whole service on this machine, until it is told to stop. */
async function main(): Promise<void> {
  if (readParameters(process.argv.slice(2)) === 'help') {
    console.log(USAGE);
    return;
  }
  const start = readLocalStart(process.env);
  keepFilesPrivate();
  const output = {
    say: (line: string) => console.log(line),
    warn: (line: string) => console.error(line),
    terminal: process.stdout.isTTY === true,
  };
  const undo: Undo[] = [];
  let running: Running | null = null;
  const stop = listenForStop(() => running?.kill());
  try {
    running = await startService(start, stop.signal, output, undo);
    await new Promise<void>((resolve) => (stop.signal.aborted ? resolve() : stop.signal.addEventListener('abort', () => resolve())));
  } catch (error) {
    if (!stop.signal.aborted) throw error; // what a stop interrupts fails as it must
  } finally {
    if (stop.signal.aborted) output.say('stopping');
    for (const step of undo.reverse()) await step();
  }
  output.say('stopped; npm start continues with the same data');
}

/** The first signal asks for an orderly stop; a second one, a moment later, does not wait for visitors any longer. */
function listenForStop(hurry: () => void): AbortController {
  const stop = new AbortController();
  let firstAt = 0;
  const onSignal = () => {
    if (!stop.signal.aborted) {
      firstAt = performance.now();
      stop.abort();
    } else if (performance.now() - firstAt > SECOND_SIGNAL_MS) hurry();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return stop;
}

try {
  await main();
  // A signal handler keeps no process alive, but a lost handle would: the parts are stopped, and this is the end.
  process.exit(0);
} catch (error) {
  if (!(error instanceof StartError) && !(error instanceof SettingError)) throw error;
  console.error(error.message);
  process.exit(1);
}
