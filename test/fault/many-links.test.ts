import t from 'tap';
import { manyLinks } from './scenarios.js';

t.setTimeout(1_800_000);
t.test('10,000 links made by 16 clients redirect at the first request on every process', (t) => manyLinks(t, 10_000, 16));
