import t from 'tap';
import { nameOfLastRelease } from '../support/last-release.js';
import { upAndDownAgain } from './upgrade-scenarios.js';

const name = nameOfLastRelease();
const lacking = 'the history has no release before this one: git fetch --unshallow --tags';
// On CI, where everything must be tested, a copy without history is an error.
const skip = name === null && (process.env.CI ?? '') === '' ? lacking : false;

t.test('a running installation goes up from the release before and down again, and no visit and no call fails', { skip }, async (t) => {
  if (name === null) return void t.fail(lacking);
  await upAndDownAgain(t, name);
});
