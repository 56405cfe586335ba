import { Writable } from 'node:stream';
import t from 'tap';
import { createImportProgress } from '../../../control-plane/cli/import-progress.js';

/** A fake terminal, and the text that was written to it. */
function fakeTerminal() {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { terminal: Object.assign(stream, { isTTY: true, columns: 120 }) as unknown as NodeJS.WriteStream, text: () => text };
}

/** Waits for the text. The bar is drawn about ten times a second. */
async function shown(text: () => string, wanted: RegExp): Promise<string> {
  while (!wanted.test(text())) await new Promise((resolve) => setTimeout(resolve, 20));
  return text();
}

t.test('for a file a bar shows how much was read', { timeout: 10_000 }, async (t) => {
  const { terminal, text } = fakeTerminal();
  const progress = createImportProgress(terminal, true);
  progress.onRead(250, 1000);
  progress.onLine();
  progress.onLine();
  t.match(await shown(text, /2 links/), /=+-+ 25 % of the file, 2 links/);
  progress.onRead(1000, 1000);
  t.match(await shown(text, /100 %/), /={10,} 100 % of the file, 2 links/);
  progress.stop();
});

t.test('for a service the number of links is shown', { timeout: 10_000 }, async (t) => {
  const { terminal, text } = fakeTerminal();
  const progress = createImportProgress(terminal, false);
  progress.onLine();
  t.notMatch(await shown(text, /1 links/), /%|=|{/);
  progress.stop();
});

t.test('without a terminal progress does nothing', (t) => {
  const progress = createImportProgress(null, true);
  progress.onRead(1, 2);
  progress.onLine();
  progress.stop();
  t.end();
});
