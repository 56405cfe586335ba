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

/** Hashes the password that a body sets. Call it before a transaction begins, so that no connection is held in the meantime. */
async function hashOf({ password }: ViewShareIn): Promise<string | null> {
  return password == null ? null : hashPassword(password);
}

/** The share with the fields that the body sets; `hash` is that of its password. An absent field keeps its value, null clears it. */
function patchedShare(before: ShareRow, { password, expires_at }: ViewShareIn, hash: string | null): ShareRow {
  return {
    ...before,
    password: password === undefined ? before.password : hash,
    expires_at: expires_at === undefined ? before.expires_at : expires_at === null ? null : new Date(parseInstant(expires_at) as number),
  };
}

async function shareView(call: Call<'shareView'>, database: Database): Promise<ShareRow> {
  const body = call.body ?? {};
  const hash = await hashOf(body);
  const created = new Date(call.nowMs);
  const empty: ShareRow = { id: idAt('viewShare', call.nowMs), password: null, expires_at: null, created_at: created, updated_at: created };
  const row = patchedShare(empty, body, hash);
  return database.transaction(async (transaction) => {
    const { id } = await requireView(call, transaction, lockView);
    if (!(await sql.insertShare(transaction, id, row))) throw refuse('conflict', 'The view is already shared: revoke its link first.');
    return row;
  });
}

async function updateShare(call: Call<'updateViewShare'>, database: Database): Promise<ShareRow> {
  const hash = await hashOf(call.body);
  return database.transaction(async (transaction) => {
    const { id } = await requireView(call, transaction);
    const before = await sql.lockShareOfView(transaction, id);
    if (before === null) throw notShared();
    call.requireMatch(stateOf(before));
    const after = patchedShare(before, call.body, hash);
    if (after.password === before.password && after.expires_at?.getTime() === before.expires_at?.getTime()) return before;
    const written = { ...after, updated_at: laterThan(before.updated_at, call.nowMs) };
    await sql.updateShare(transaction, written);
    return written;
  });
}
