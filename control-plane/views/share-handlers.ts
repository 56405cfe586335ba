import { idAt } from '../../shared/base/ids.js';
import { laterThan, parseInstant } from '../../shared/base/instant.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { ViewShareIn } from '../../shared/contract/schemas/view.js';
import { hashPassword } from '../../shared/secrets/password-hash.js';
import type { Database } from '../db/database.js';
import type { Call, Operations, UncheckedCall } from '../http/operation.js';
import { fieldError, refuse } from '../http/problems.js';
import { requireView } from './require-view.js';
import { type ShareRow, shareOfRow } from './share-row.js';
import * as sql from './share-sql.js';
import type { ShareTokens } from './share-tokens.js';
import { lockView } from './sql.js';

type ShareOperations = Pick<Operations, 'getViewShare' | 'shareView' | 'updateViewShare' | 'revokeViewShare'>;

export function shareOperations(tokens: ShareTokens): ShareOperations {
  return {
    getViewShare: {
      async handle(call, database) {
        const { id } = await requireView(call, database);
        const row = await sql.findShareOfView(database, id);
        if (row === null) throw notShared();
        return { body: shareOfRow(row, tokens, call.nowMs), state: stateOf(row) };
      },
    },
    shareView: {
      check: expiryErrors,
      async handle(call, database) {
        const row = await shareView(call, database);
        return { body: shareOfRow(row, tokens, call.nowMs), state: stateOf(row), location: `/views/${call.params.view}/share` };
      },
    },
    updateViewShare: {
      check: expiryErrors,
      async handle(call, database) {
        const row = await updateShare(call, database);
        return { body: shareOfRow(row, tokens, call.nowMs), state: stateOf(row) };
      },
    },
    revokeViewShare: {
      async handle(call, database) {
        await database.transaction(async (transaction) => {
          const { id } = await requireView(call, transaction);
          const row = await sql.lockShareOfView(transaction, id);
          if (row === null) throw notShared();
          call.requireMatch(stateOf(row));
          await sql.deleteShare(transaction, row.id);
        });
        return { body: undefined };
      },
    },
  };
}

function notShared() {
  return refuse('not_found', 'The view is not shared.');
}

/** The state for the ETag. It excludes the status, because a share expires without being changed. The hash distinguishes passwords. */
function stateOf({ id, password, expires_at, updated_at }: ShareRow): object {
  return { id, password, expires_at: expires_at?.toISOString() ?? null, updated_at: updated_at.toISOString() };
}

function expiryErrors({ body, nowMs }: UncheckedCall): readonly FieldError[] {
  const at = typeof body.expires_at === 'string' ? parseInstant(body.expires_at) : null;
  return at === null || at > nowMs ? [] : [fieldError('body', '/expires_at', 'too_small', 'must be in the future')];
}

/** Returns the fields that a body sets, which has passed its schema. An absent field keeps its value, null clears it. */
async function changedBy(given: ViewShareIn, kept: Pick<ShareRow, 'password' | 'expires_at'>) {
  const { password, expires_at } = given;
  return {
    password: password == null ? (password === null ? null : kept.password) : await hashPassword(password),
    expires_at: expires_at == null ? (expires_at === null ? null : kept.expires_at) : new Date(parseInstant(expires_at) as number),
  };
}

async function shareView(call: Call<'shareView'>, database: Database): Promise<ShareRow> {
  const created = new Date(call.nowMs);
  const set = await changedBy(call.body ?? {}, { password: null, expires_at: null });
  const row: ShareRow = { id: idAt('viewShare', call.nowMs), ...set, created_at: created, updated_at: created };
  return database.transaction(async (transaction) => {
    const { id } = await requireView(call, transaction, lockView);
    if (!(await sql.insertShare(transaction, id, row))) throw refuse('conflict', 'The view is already shared: revoke its link first.');
    return row;
  });
}

async function updateShare(call: Call<'updateViewShare'>, database: Database): Promise<ShareRow> {
  // Before the transaction, so that no connection is held while the password is hashed.
  const set = await changedBy(call.body, { password: null, expires_at: null });
  return database.transaction(async (transaction) => {
    const { id } = await requireView(call, transaction);
    const before = await sql.lockShareOfView(transaction, id);
    if (before === null) throw notShared();
    call.requireMatch(stateOf(before));
    const after: ShareRow = {
      ...before,
      password: call.body.password === undefined ? before.password : set.password,
      expires_at: call.body.expires_at === undefined ? before.expires_at : set.expires_at,
    };
    if (after.password === before.password && after.expires_at?.getTime() === before.expires_at?.getTime()) return before;
    const written = { ...after, updated_at: laterThan(before.updated_at, call.nowMs) };
    await sql.updateShare(transaction, written);
    return written;
  });
}
