import t from 'tap';
import { drainWithIdleSockets } from './scenarios.js';

t.test('a shutdown with five hundred idle connections ends by its deadline', (t) => drainWithIdleSockets(t, 500));
