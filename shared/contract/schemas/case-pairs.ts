import Type from 'typebox';
import { text } from './fields.js';

/** Maximum number of pairs in an answer. */
export const CASE_PAIRS_MAX = 100;

export const casePairsSchema = Type.Object({
  pairs: Type.Array(
    Type.Object({
      path: text('An address with capital letters', { examples: ['/Spring'] }),
      lower_case_path: text('The same address in lower case. It gets visitors of every other spelling, such as `/SPRING`', {
        examples: ['/spring'],
      }),
    }),
    { maxItems: CASE_PAIRS_MAX, description: 'In the order of the addresses in lower case' },
  ),
  more: Type.Boolean({ description: `Whether there are more than ${CASE_PAIRS_MAX}` }),
});
export type CasePairs = Type.Static<typeof casePairsSchema>;
