import Type from 'typebox';
import { oneOf, text } from './fields.js';
import { FIELD_CODE_NAMES, FIELD_PLACES, PROBLEM_CODES } from './problem-codes.js';

export const fieldErrorSchema = Type.Object(
  {
    pointer: text('JSON Pointer to the field; empty for the whole document'),
    in: oneOf(FIELD_PLACES, 'Part of the request that the pointer refers to'),
    code: oneOf(FIELD_CODE_NAMES, 'Stable code of what is wrong'),
    detail: text('What is wrong, for people'),
  },
  { description: 'One offending field' },
);

export const problemSchema = Type.Object(
  {
    type: text('`urn:problem:` and the code', { pattern: '^urn:problem:[a-z_]+$' }),
    title: text('What kind of error it is; the same for every occurrence'),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status' }),
    detail: text('What is wrong with this request, for people'),
    instance: text('`urn:request:` and the id of the request, as in `X-Request-Id`', { pattern: '^urn:request:.+$' }),
    code: oneOf(PROBLEM_CODES, 'Stable code of the error'),
    errors: Type.Optional(
      Type.Array(fieldErrorSchema, {
        description:
          'Every offending field. Present with `validation_failed` and `url_blocked`, and with a `conflict` about a value that is taken',
      }),
    ),
  },
  { description: 'An error (RFC 9457)' },
);

export type Problem = Type.Static<typeof problemSchema>;
