import Type from 'typebox';
import { text } from './fields.js';

/** What a tester says of its way to the answer. */
export const traceSchema = Type.Array(
  Type.Object({
    rule: text('Stable name of the rule', { examples: ['destination'] }),
    inputs: Type.Record(Type.String(), Type.Unknown(), { description: 'What the rule looked at' }),
    detail: text('What came of it, for people'),
  }),
  {
    description:
      'Every rule that fired, in order, with what it looked at. The rules are those that answer visitors, run by the same code; new ones may be added.',
  },
);
