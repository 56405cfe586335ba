import t from 'tap';
import { drainWithIdleSockets } from './scenarios.js';

t.test('a shutdown with five hundred idle connections ends before its deadline', (t) => drainWithIdleSockets(t, 500));
