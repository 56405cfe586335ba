import t from 'tap';
import { stoppedProcess } from './scenarios.js';

for (const name of ['background', 'redirect-0'])
  t.test(`${name} stopped with SIGSTOP turns the health page red within 15 s and is replaced`, (t) => stoppedProcess(t, name));
