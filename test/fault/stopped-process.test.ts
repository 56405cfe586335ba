import t from 'tap';
import { stoppedProcess } from './scenarios.js';

t.setTimeout(1_800_000);
for (const name of ['background', 'redirect-0'])
  t.test(`${name} stopped with SIGSTOP turns the health page red within 15 s and is replaced`, (t) => stoppedProcess(t, name));
