import t from 'tap';
import { shownInput } from '../../../../control-plane/dashboard/parts/trace-inputs.js';

t.test('inputs of a rule are shown without the syntax of JSON, and what is absent as a dash', async (t) => {
  t.same([null, '', 'ios', 0, false, [], ['web', 'fallback'], { utm_source: 'mail', utm_term: null }, { utm_term: null }].map(shownInput), [
    '–',
    '–',
    'ios',
    '0',
    'false',
    '–',
    'web, fallback',
    'utm_source=mail',
    '–',
  ]);
});
