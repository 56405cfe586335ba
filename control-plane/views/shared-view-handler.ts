import type { Clock } from '../../shared/base/clock.js';
import { SHARED_VIEWS_AT_ONCE, SHARED_VIEWS_OF_ENVIRONMENT_AT_ONCE } from '../../shared/base/view-limits.js';
import type { SharedView } from '../../shared/contract/schemas/view.js';
import { addressOfLimit } from '../../shared/net/address.js';
import { PasswordTries } from '../../shared/secrets/password-tries.js';
import type { ClickStore } from '../click-store/click-store.js';
import type { Database } from '../db/database.js';
import type { Call, Operations } from '../http/operation.js';
import { refuse } from '../http/problems.js';
import { type RateLimiter, refuseOverLimit } from '../http/rate-limit.js';
import { LongCalls } from '../stats/long-calls.js';
import { isExpired } from './share-row.js';
import { findSharedView, type SharedViewRow } from './share-sql.js';
import type { ShareTokens } from './share-tokens.js';
import { SharedAnswers } from './shared-answers.js';
import { countSharedView } from './shared-view.js';

export interface SharedViewDependencies {
  readonly tokens: ShareTokens;
  readonly clock: Clock;
  readonly clickStore: ClickStore;
  /** CLICK_RETENTION_DAYS. */
  readonly clickRetentionDays: number;
  /** Counts wrong passwords for each view. */
  readonly triesOfView: RateLimiter;
}

/** The only operation that is open to everybody. Its cost is limited before it begins: by address, by view, and for all views together. */
export function sharedViewOperation(dependencies: SharedViewDependencies): Pick<Operations, 'readSharedView'> {
  const { tokens, clock, clickStore, clickRetentionDays, triesOfView } = dependencies;
  const answers = new SharedAnswers<SharedView>();
  // Separate limits for calls from the public. They share results, so a client that closes its connection does not cancel the call.
  const longCalls = new LongCalls({ max: SHARED_VIEWS_AT_ONCE, ofEnvironmentMax: SHARED_VIEWS_OF_ENVIRONMENT_AT_ONCE });
  const tries = new PasswordTries(clock);

  const checkPassword = async ({ body, clientAddress }: Call<'readSharedView'>, row: SharedViewRow): Promise<void> => {
    const { id, password: hash, environment_id: environment } = row;
    if (hash === null) return;
    if (body.password === undefined || body.password === '') throw passwordRequired('The view has a password: enter it.');
    refuseOverLimit(triesOfView.count(id), 'Too many wrong passwords for this view.');
    const outcome = await tries.attempt(id, addressOfLimit(clientAddress), { password: body.password, hash, environment });
    // Only wrong passwords count, and not attempts that were not compared, so that a single address cannot lock the view for others.
    if (outcome !== 'wrong') triesOfView.giveBack(id);
    if (outcome === 'throttled') throw refuse('rate_limited', 'Too many wrong passwords: wait a minute.', { 'retry-after': '60' });
    if (outcome === 'busy')
      throw refuse('rate_limited', 'Other passwords are being compared: try again in a moment.', { 'retry-after': '2' });
    if (outcome === 'wrong') throw passwordRequired('The password is wrong.');
  };

  return {
    readSharedView: {
      async handle(call, database) {
        const row = await findActive(tokens, call, database);
        await checkPassword(call, row);
        const key = JSON.stringify([row.id, row.name, row.query]);
        const counting = { retentionDays: clickRetentionDays, nowMs: call.nowMs };
        const waiting = { environmentId: row.environment_id, gone: null };
        const body = await answers.read(row.environment_id, key, () =>
          longCalls.answer({ database, clickStore }, waiting, (source) => countSharedView(source, row, counting)),
        );
        // The share may have been revoked, or its password changed, while passwords were compared and clicks were counted.
        const now = await findActive(tokens, call, database);
        if (now.password !== row.password) throw passwordRequired('The password of the view has changed: enter the new one.');
        return { body };
      },
    },
  };
}

async function findActive(tokens: ShareTokens, { body, nowMs }: Call<'readSharedView'>, database: Database): Promise<SharedViewRow> {
  const shareId = tokens.shareIdOf(body.token);
  const row = shareId === null ? null : await findSharedView(database, shareId);
  // The same response in all cases, so that nobody learns what once existed.
  if (row === null || isExpired(row, nowMs)) throw refuse('not_found', 'This link shows no view, or no longer does.');
  return row;
}

function passwordRequired(detail: string) {
  return refuse('password_required', detail);
}
