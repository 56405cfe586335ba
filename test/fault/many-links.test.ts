import t from 'tap';
import { manyLinks } from './scenarios.js';

t.test('10,000 links made by 16 clients redirect at the first request on every process', (t) => manyLinks(t, 10_000, 16));
