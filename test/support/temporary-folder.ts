import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of a tap test that the helper needs. */
interface Teardown {
  teardown(fn: () => void): void;
}

/**
 * Creates a folder that every user may pass through and that is removed after the test. `t.testdir()` is below the
 * checkout, which another user may not be able to enter: PostgreSQL, when the tests run as root.
 */
export function temporaryFolder(t: Teardown): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-'));
  chmodSync(folder, 0o711);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
