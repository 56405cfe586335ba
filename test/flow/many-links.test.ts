import t from 'tap';
import { manyLinks } from '../fault/scenarios.js';

// The short form of test/fault/many-links.test.ts.
t.test('links redirect at the first request after they were made, on every process', (t) => manyLinks(t, 400, 8));
