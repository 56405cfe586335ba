import { Group } from './group.js';
import type { CallOptions } from './http.js';
import type * as api from './operations.js';

/** Links of another service, from the rows of a file. */
export class Imports extends Group {
  /** At most 500 rows of a file, in their order. Rows that were sent before are found again. */
  links(rows: api.BodyOf<'importLinks'>, options?: CallOptions): Promise<api.AnswerOf<'importLinks'>> {
    return this.transport.send({ method: 'POST', path: '/imports/links', body: rows, options });
  }
}
