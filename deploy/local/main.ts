import { checkCertificates } from '../../engine/tls/check-certificates.js';
import { keepFilesPrivate } from '../../shared/base/private-files.js';
import { SettingError } from '../../shared/base/settings.js';
import { type Running, startService, type Undo } from './service.js';
import { readLocalStart, readParameters, USAGE } from './settings.js';
import { StartError } from './start-error.js';

/** npm passes Ctrl-C in a terminal on to its child, which then gets it twice. A person takes longer than this for a second one. */
const SECOND_SIGNAL_MS = 1000;

/** `npm start`: runs the whole service on this machine until it gets a signal to stop. */
async function main(): Promise<void> {
  if (readParameters(process.argv.slice(2)) === 'help') {
    console.log(USAGE);
    return;
  }
  const start = readLocalStart(process.env);
  await checkCertificates(start.certificatesDir);
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
    if (!stop.signal.aborted) throw error; // an operation that a stop interrupts has to fail
  } finally {
    if (stop.signal.aborted) output.say('stopping');
    for (const step of undo.reverse()) await step();
  }
  output.say('stopped; npm start continues with the same data');
}

/** The first signal requests an orderly stop. A second one, a moment later, stops without waiting for visitors. */
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
  // A signal handler does not keep the process alive, but a lost handle would. All parts are stopped, so the process ends here.
  process.exit(0);
} catch (error) {
  if (!(error instanceof StartError) && !(error instanceof SettingError)) throw error;
  console.error(error.message);
  process.exit(1);
}
