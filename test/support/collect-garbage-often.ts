import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Test } from 'tap';

const EVERY_MS = 20;

/** Collects garbage until the test ends, so that what only a weak reference keeps is lost soon. The timer also keeps the process alive. */
export function collectGarbageOften(t: Pick<Test, 'teardown'>): void {
  setFlagsFromString('--expose-gc');
  const timer = setInterval(runInNewContext('gc') as () => void, EVERY_MS);
  t.teardown(() => clearInterval(timer));
}
