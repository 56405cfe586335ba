import t from 'tap';
import { DatabaseUnavailableError, type Queryable } from '../../../control-plane/db/database.js';
import { untilFollowed } from '../../../control-plane/feed/until-followed.js';

function failing(error: unknown): Queryable {
  return { query: () => Promise.reject(error) };
}

t.test(
  'a database that goes away after the change does not turn its answer into an error; an error of the statement is told',
  async (t) => {
    await t.resolves(untilFollowed(failing(new DatabaseUnavailableError('lost PostgreSQL'))));
    await t.rejects(untilFollowed(failing(new TypeError('no such column'))), TypeError);
  },
);
