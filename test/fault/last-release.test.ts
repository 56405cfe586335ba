import t from 'tap';
import { nameOfLastRelease } from '../support/last-release.js';
import { upAndDownAgain } from './upgrade-scenarios.js';

const name = nameOfLastRelease();
const lacking = 'the history has no release before this one: git fetch --unshallow --tags';
// On CI, where everything must be tested, a copy without history is an error.
const skip = name === null && (process.env.CI ?? '') === '' ? lacking : false;

t.test('an upgrade from the last release and a downgrade under load fail no visit and no call', { skip }, async (t) => {
  if (name === null) return void t.fail(lacking);
  await upAndDownAgain(t, name);
});
