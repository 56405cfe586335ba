import t from 'tap';
import { manyLinks } from './scenarios.js';

t.test('each of 10,000 links made by 16 clients redirects at its first request on every process', (t) => manyLinks(t, 10_000, 16));
