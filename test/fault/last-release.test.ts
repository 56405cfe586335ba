import t from 'tap';
import { nameOfLastRelease } from '../support/last-release.js';
import { upAndDownAgain } from './upgrade-scenarios.js';

const name = nameOfLastRelease();
const skip = name === null ? 'the history has no release before this one: git fetch --unshallow --tags' : false;

t.test('a running installation goes up from the release before and down again, and no visit and no call fails', { skip }, (t) =>
  upAndDownAgain(t, name as string),
);
