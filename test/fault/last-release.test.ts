import t from 'tap';
import { nameOfLastRelease } from '../support/last-release.js';
import { upAndDownAgain } from './upgrade-scenarios.js';

const name = nameOfLastRelease();
const lacking = 'the history has no release before this one: git fetch --unshallow --tags';
// Where everything is to be tested a copy without history is a fault of whoever made it.
const skip = name === null && (process.env.CI ?? '') === '' ? lacking : false;

t.test('a running installation goes up from the release before and down again, and no visit and no call fails', { skip }, async (t) => {
  if (name === null) return void t.fail(lacking);
  await upAndDownAgain(t, name);
});
