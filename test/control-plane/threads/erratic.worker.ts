import { threadId, workerData } from 'node:worker_threads';
import { DatabaseUnavailableError } from '../../../control-plane/db/database.js';
import { fieldError, refuseFields } from '../../../control-plane/http/problems.js';
import { type Outcome, outcomeOf } from '../../../control-plane/threads/outcome.js';

/** How the thread's task is to end. */
export type ErraticTask = 'answer' | 'wait' | 'exit' | 'throw apart' | 'refuse' | 'no database' | 'bug';

if (workerData === 'ends as it begins') throw new Error('it begins badly');

async function work(task: ErraticTask): Promise<number> {
  switch (task) {
    case 'answer':
      return threadId;
    case 'wait':
      return new Promise(() => undefined);
    case 'exit':
      return process.exit(1);
    case 'throw apart':
      setImmediate(() => {
        throw new Error('nobody waits for this');
      });
      return new Promise(() => undefined);
    case 'refuse':
      throw refuseFields([fieldError('body', '/links/3/path', 'reserved', 'is reserved')]);
    case 'no database':
      throw new DatabaseUnavailableError('lost PostgreSQL', { cause: new Error('a cable') });
    case 'bug':
      throw new TypeError('a bug');
  }
}

export default function run(task: ErraticTask): Promise<Outcome<number>> {
  return outcomeOf(() => work(task));
}
