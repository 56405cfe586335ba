import t from 'tap';
import { manyLinks } from '../fault/scenarios.js';

// The short form of test/fault/many-links.test.ts.
t.test('each new link redirects at the first request after its creation, on every process', (t) => manyLinks(t, 400, 8));
