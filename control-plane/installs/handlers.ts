import { EVENT_LOG_DAYS } from '../../shared/base/limits.js';
import type { Operations } from '../http/operation.js';
import { refuse } from '../http/problems.js';
import { isPlainText } from '../http/validate.js';
import { deleteInstall, deleteInstallEvents } from './sql.js';

const DAY_MS = 86_400_000;

function noSuchInstall() {
  return refuse('not_found', 'There is no such installation in this environment.');
}

/** What a server may do with installations that its apps have reported. */
export function installOperations(): Pick<Operations, 'deleteInstall'> {
  return {
    deleteInstall: {
      async handle({ caller, params, nowMs }, database) {
        // No installation has such an id, and PostgreSQL takes no NUL.
        if (!isPlainText(params.install)) throw noSuchInstall();
        const environmentId = caller.environment.id;
        // Whatever is in the log of events has left a row that lasts longer, the installation's own or a tracked event's.
        if ((await deleteInstall(database, environmentId, params.install)) === 0) throw noSuchInstall();
        // A day more on either side: the database's clock may be ahead, and partitions go some time after their last day.
        for (let ago = -1; ago <= EVENT_LOG_DAYS + 1; ago++) {
          const day = new Date(nowMs - (nowMs % DAY_MS) - ago * DAY_MS);
          await deleteInstallEvents(database, environmentId, params.install, day);
        }
        return { body: undefined };
      },
    },
  };
}
