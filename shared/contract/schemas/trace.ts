import Type from 'typebox';
import { text } from './fields.js';

/** The steps by which a tester came to its result. */
export const traceSchema = Type.Array(
  Type.Object({
    rule: text('Stable name of the rule', { examples: ['destination'] }),
    inputs: Type.Record(Type.String(), Type.Unknown(), { description: 'The inputs of the rule' }),
    detail: text('The result, for people'),
  }),
  {
    description:
      'Every rule that applied, in order, with its inputs. These are the rules for real visitors, run by the same code. New rules may be added.',
  },
);
