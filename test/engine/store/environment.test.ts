import { join } from 'node:path';
import t from 'tap';
import { isStoreError, openEnvironment, writeTransaction } from '../../../engine/store/environment.js';

t.test('a reader shares the LMDB environment of the writer in its process, and closing it leaves the writer open', async (t) => {
  const path = join(t.testdir(), 'generation');
  const writer = openEnvironment(path, 'follow');
  const reader = openEnvironment(path, 'read');
  t.equal(reader.environment, writer.environment);
  writeTransaction(writer.environment, () => writer.environment.putSync('k', Buffer.from('v')));
  await reader.close();
  await reader.close();
  t.equal(writer.environment.getBinary('k')?.toString(), 'v', "the writer's environment is still open");
  await writer.close();
  t.throws(() => writer.environment.get('k'));
});

t.test('a generation that is open for reading cannot be opened for writing, and none is written twice at once', async (t) => {
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

t.test('a transaction that throws changes nothing', async (t) => {
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

t.test("LMDB's own errors are distinguished from those of the operating system", async (t) => {
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
  t.equal(isStoreError(thrown), false, 'a missing folder is not damage');
});
