import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the helper needs of a tap test. */
interface Teardown {
  teardown(fn: () => void): void;
}

/**
 * A folder that every user may pass through, gone after the test. `t.testdir()` lies below the checkout, which another
 * user may not be able to enter: PostgreSQL, when the tests run as root.
 */
export function temporaryFolder(t: Teardown): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-'));
  chmodSync(folder, 0o711);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
