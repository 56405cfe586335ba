import t from 'tap';
import { hungApiBesideVisitors } from './preview-scenarios.js';

t.test('bots that wait for an API that never answers slow no visitor down (promise R2)', (t) =>
  hungApiBesideVisitors(t, { rounds: 5, seconds: 5 }),
);
