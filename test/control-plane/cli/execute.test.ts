import t from 'tap';
import { execute } from '../../../control-plane/cli/execute.js';
import type { ProgramDependencies } from '../../../control-plane/cli/run.js';

/** Runs a command that fails with this system error. */
async function failure(syscall: string, code: string): Promise<readonly [number, string]> {
  let stderr = '';
  const status = await execute(['migrate', '--plan'], {
    version: '0.0.0',
    schemaDifference: async () => {
      throw Object.assign(new Error(`${code}: ${syscall} of something`), { code, syscall });
    },
    writeError: (text: string) => {
      stderr += text;
    },
  } as unknown as ProgramDependencies);
  return [status, stderr];
}

t.test('connection errors say that PostgreSQL cannot be reached, and file errors are shown as they are', async (t) => {
  for (const [syscall, code] of [
    ['connect', 'ECONNREFUSED'],
    ['getaddrinfo', 'ENOTFOUND'],
  ] as const)
    t.match(await failure(syscall, code), [4, /^linkd: PostgreSQL cannot be reached; check DATABASE_URL: .*\n$/], syscall);
  for (const [syscall, code] of [
    ['open', 'EACCES'],
    ['write', 'ENOSPC'],
    ['read', 'EISDIR'],
  ] as const)
    t.same(await failure(syscall, code), [1, `linkd: ${code}: ${syscall} of something\n`], syscall);
});
