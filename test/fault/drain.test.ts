import t from 'tap';
import { drainWithIdleSockets } from './scenarios.js';

t.test('five hundred idle connections do not hold up the end', (t) => drainWithIdleSockets(t, 500));
