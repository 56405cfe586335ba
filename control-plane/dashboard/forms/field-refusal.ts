import { ApiError, type FieldProblem } from '../api/client.js';

/** An error like one of the API, for a field whose text cannot be sent. `detail` continues the name of the field. */
export function fieldRefusal(pointer: string, code: FieldProblem['code'], detail: string): ApiError {
  return new ApiError(422, 'validation_failed', detail, { fields: [{ pointer, in: 'body', code, detail }] });
}
