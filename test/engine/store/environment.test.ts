import { join } from 'node:path';
import t from 'tap';
import { isStoreError, openEnvironment, writeTransaction } from '../../../engine/store/environment.js';

t.test('readers share the environment of the process that writes it, and each closes for itself', async (t) => {
  const path = join(t.testdir(), 'generation');
  const writer = openEnvironment(path, 'follow');
  const reader = openEnvironment(path, 'read');
  t.equal(reader.environment, writer.environment);
  writeTransaction(writer.environment, () => writer.environment.putSync('k', Buffer.from('v')));
  await reader.close();
  await reader.close();
  t.equal(writer.environment.getBinary('k')?.toString(), 'v', 'still open');
  await writer.close();
  t.throws(() => writer.environment.get('k'));
});

t.test('a process that only reads a generation cannot write it, and none is written twice at once', async (t) => {
  const path = join(t.testdir(), 'generation');
  const built = openEnvironment(path, 'build');
  t.throws(() => openEnvironment(path, 'build'), { name: 'InvariantError' });
  t.throws(() => openEnvironment(path, 'read'), { name: 'InvariantError' });
  await built.close();
  const reader = openEnvironment(path, 'read');
  t.throws(() => openEnvironment(path, 'follow'), { name: 'InvariantError' });
  await reader.close();
  const writer = openEnvironment(path, 'follow');
  await writer.close();
});

t.test('a transaction that throws leaves nothing of it', async (t) => {
  const { environment, close } = openEnvironment(join(t.testdir(), 'generation'), 'follow');
  t.throws(
    () =>
      writeTransaction(environment, () => {
        environment.putSync('a', Buffer.from('1'));
        throw new Error('half way');
      }),
    { message: 'half way' },
  );
  t.equal(environment.get('a'), undefined);
  writeTransaction(environment, () => environment.putSync('b', Buffer.from('2')));
  t.equal(environment.get('b')?.toString(), '2');
  await close();
});

t.test("LMDB's own errors are told apart from those of the operating system", async (t) => {
  const withCode = (code: unknown) => Object.assign(new Error('x'), { code });
  for (const code of [-30_799, -30_796, -30_793, -30_700]) t.equal(isStoreError(withCode(code)), true, String(code));
  for (const code of [2, 5, 12, 28, -30_800, 'ENOSPC', undefined]) t.equal(isStoreError(withCode(code)), false, String(code));
  t.equal(isStoreError(new RangeError('Array buffer allocation failed')), true);
  t.equal(isStoreError('text'), false);
  let thrown: unknown;
  try {
    openEnvironment(join(t.testdir({}), 'nothing'), 'read');
  } catch (error) {
    thrown = error;
  }
  t.ok(thrown instanceof Error);
  t.equal(isStoreError(thrown), false, 'a folder that is not there is no damage');
});
