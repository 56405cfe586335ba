import t from 'tap';
import { InFlightFetch } from '../../../engine/preview/in-flight-fetch.js';
import { InvariantError } from '../../../shared/base/invariant.js';

t.test('the state of a fetch only moves forward, and it ends once', async (t) => {
  const fetching = new InFlightFetch('i1');
  fetching.become('queued');
  fetching.become('calling');
  t.throws(() => fetching.become('queued'), new InvariantError("an item's way to an answer cannot go from 'calling' to 'queued'"));
  fetching.end();
  t.throws(() => fetching.end(), new InvariantError("an item's way to an answer cannot go from 'over' to 'over'"));
  t.equal(fetching.state, 'over');
});
