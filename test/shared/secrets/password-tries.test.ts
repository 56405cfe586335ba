import t from 'tap';
import { PASSWORD_TRIES_OF_MINUTE, PASSWORDS_WAITING_MAX } from '../../../shared/base/limits.js';
import { PasswordTries } from '../../../shared/secrets/password-tries.js';

const given = (password: string, environment = 'one') => ({ password, hash: 'right', environment });

t.test('wrong passwords count per link and address, for a minute, and a right one resets the count', async (t) => {
  let now = 0;
  const tries = new PasswordTries(
    () => now,
    async (password, hash) => password === hash,
  );
  for (let n = 1; n < PASSWORD_TRIES_OF_MINUTE; n++) t.equal(await tries.attempt('a', '1', given('no')), 'wrong');
  t.equal(await tries.attempt('a', '1', given('right')), 'right');
  for (let n = 0; n < PASSWORD_TRIES_OF_MINUTE; n++) t.equal(await tries.attempt('a', '1', given('no')), 'wrong');
  t.equal(await tries.attempt('a', '1', given('right')), 'throttled');
  t.equal(await tries.attempt('a', '2', given('right')), 'right');
  t.equal(await tries.attempt('b', '1', given('right')), 'right');
  now = 60_000;
  t.equal(await tries.attempt('a', '1', given('right')), 'right');
});

t.test('simultaneous tries all count, one is compared at a time, and the number of waiting tries is limited', async (t) => {
  let comparing = 0;
  let most = 0;
  const tries = new PasswordTries(
    () => 0,
    async () => {
      most = Math.max(most, ++comparing);
      await new Promise(setImmediate);
      comparing--;
      return false;
    },
  );
  const outcomes = await Promise.all(Array.from({ length: 15 }, () => tries.attempt('a', '1', given('no'))));
  t.equal(outcomes.filter((outcome) => outcome === 'busy').length, 15 - PASSWORDS_WAITING_MAX / 2);
  t.equal(await tries.attempt('a', '1', given('no')), 'wrong');
  const rest = PASSWORD_TRIES_OF_MINUTE - PASSWORDS_WAITING_MAX / 2;
  const more = await Promise.all(Array.from({ length: rest + 1 }, () => tries.attempt('a', '1', given('no'))));
  t.equal(more.filter((outcome) => outcome === 'wrong').length, rest - 1);
  t.equal(more.filter((outcome) => outcome === 'throttled').length, 2);
  const many = Array.from({ length: PASSWORDS_WAITING_MAX + 5 }, (_, n) => tries.attempt('a', `from ${n}`, given('no')));
  t.equal((await Promise.all(many)).filter((outcome) => outcome === 'busy').length, 5, 'nobody of these has entered a wrong one before');
  t.equal(most, 1);
});

t.test('no address alone fills the queue or keeps the others waiting, not even with right passwords', async (t) => {
  const compared: string[] = [];
  const tries = new PasswordTries(
    () => 0,
    async (_, hash) => {
      compared.push(hash);
      await new Promise(setImmediate);
      return true;
    },
  );
  const flood = Array.from({ length: 3 * PASSWORDS_WAITING_MAX }, () => tries.attempt('a', '1', given('right')));
  const others = ['2', '3', '4'].map((address) => tries.attempt('b', address, { ...given('right'), hash: `of ${address}` }));
  t.same(await Promise.all(others), ['right', 'right', 'right']);
  t.same(compared, ['right', 'right', 'of 2', 'of 3', 'of 4'], 'addresses take turns');
  t.equal((await Promise.all(flood)).filter((outcome) => outcome === 'right').length, PASSWORDS_WAITING_MAX / 2);
  t.equal(await tries.attempt('a', '1', given('right')), 'right', 'later the address may try again');
});

t.test('no environment alone fills the queue or keeps the others waiting, however many addresses its visitors have', async (t) => {
  const compared: string[] = [];
  const tries = new PasswordTries(
    () => 0,
    async (password) => {
      compared.push(password);
      await new Promise(setImmediate);
      return true;
    },
  );
  const flood = Array.from({ length: PASSWORDS_WAITING_MAX + 4 }, (_, n) => tries.attempt('a', `from ${n}`, given(`flood ${n}`)));
  const others = [1, 2, 3].map((n) => tries.attempt('b', `other ${n}`, given(`other ${n}`, 'two')));
  t.same(await Promise.all(others), ['right', 'right', 'right']);
  t.same(compared, ['flood 0', 'flood 1', 'other 1', 'flood 2', 'other 2', 'flood 3', 'other 3'], 'environments take turns');
  const outcomes = await Promise.all(flood);
  t.equal(outcomes.filter((outcome) => outcome === 'busy').length, 4 + 3, 'the newest gave their places to the others');
  t.same(outcomes.slice(0, PASSWORDS_WAITING_MAX - 3), Array(PASSWORDS_WAITING_MAX - 3).fill('right'));
});

t.test('an environment keeps its places if no other has fewer waiting, and who gave up a place has lost no try', async (t) => {
  const tries = new PasswordTries(
    () => 0,
    async (password) => {
      await new Promise(setImmediate);
      return password === 'right';
    },
  );
  const first = Array.from({ length: PASSWORDS_WAITING_MAX }, (_, n) => tries.attempt('a', `from ${n}`, given('no')));
  const second = Array.from({ length: PASSWORDS_WAITING_MAX }, (_, n) => tries.attempt('b', `other ${n}`, given('no', 'two')));
  const busy = async (made: readonly Promise<string>[]) => (await Promise.all(made)).filter((outcome) => outcome === 'busy').length;
  // One is being compared while the others wait.
  t.equal(await busy(first), (PASSWORDS_WAITING_MAX - 2) / 2);
  t.equal(await busy(second), PASSWORDS_WAITING_MAX - (PASSWORDS_WAITING_MAX - 2) / 2);
  const last = `from ${PASSWORDS_WAITING_MAX - 1}`;
  for (let n = 0; n < PASSWORD_TRIES_OF_MINUTE; n++) t.equal(await tries.attempt('a', last, given('no')), 'wrong');
  t.equal(await tries.attempt('a', last, given('no')), 'throttled');
});

t.test('an error in a comparison affects only its own visitor', async (t) => {
  const tries = new PasswordTries(
    () => 0,
    async (password) => {
      if (password === 'broken') throw new Error('a damaged hash');
      return true;
    },
  );
  await t.rejects(tries.attempt('a', '1', given('broken')), { message: 'a damaged hash' });
  t.equal(await tries.attempt('a', '1', given('right')), 'right');
});

t.test('after each comparison there is a pause of the same length', async (t) => {
  const began: number[] = [];
  const tries = new PasswordTries(
    () => 0,
    async () => {
      began.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 40));
      return false;
    },
  );
  await Promise.all([1, 2, 3].map((from) => tries.attempt('a', `from ${from}`, given('no'))));
  for (const index of [1, 2]) t.ok((began[index] as number) - (began[index - 1] as number) >= 75, 'twice the time of one comparison');
});
