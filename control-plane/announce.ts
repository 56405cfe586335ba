import type { Assigner } from './feed/assigner.js';
import type { FeedFollowers } from './feed/feed-followers.js';
import type { Authenticator } from './http/authenticate.js';
import type { Committed } from './http/operation.js';
import type { DueNotifier } from './webhooks/due-notifier.js';

/** Those who act on what calls have committed. */
export interface Announced {
  readonly assigner: Pick<Assigner, 'poke'>;
  readonly dueNotifier: Pick<DueNotifier, 'poke'>;
  readonly authenticator: Pick<Authenticator, 'forgetEnvironment'>;
  readonly followers: Pick<FeedFollowers, 'untilFollowed'>;
}

/** Returns the function by which a call announces what it has committed. It resolves when the call may be answered. */
export function createAnnounce({ assigner, dueNotifier, authenticator, followers }: Announced) {
  return async ({ feed, deliveries, environment }: Committed): Promise<void> => {
    if (environment !== undefined) authenticator.forgetEnvironment(environment);
    if (deliveries === true) dueNotifier.poke();
    if (feed !== undefined) assigner.poke();
    if (feed === 'followed') await followers.untilFollowed();
  };
}
