import t from 'tap';
import { stoppedProcess } from './scenarios.js';

for (const name of ['background', 'redirect-0'])
  t.test(`the health page fails within 15 s after ${name} is stopped with SIGSTOP, and the process is replaced`, (t) =>
    stoppedProcess(t, name),
  );
