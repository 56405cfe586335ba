import { formatInstant, instantOrNull } from '../../shared/base/instant.js';
import type { ViewShare } from '../../shared/contract/schemas/view.js';
import type { ShareTokens } from './share-tokens.js';

/** A row of `view_shares` as its statements read and write it. */
export interface ShareRow {
  readonly id: string;
  /** The hash; null for none. */
  readonly password: string | null;
  readonly expires_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export function isExpired({ expires_at }: Pick<ShareRow, 'expires_at'>, nowMs: number): boolean {
  return expires_at !== null && expires_at.getTime() <= nowMs;
}

export function shareOfRow(row: ShareRow, tokens: ShareTokens, nowMs: number): ViewShare {
  const token = tokens.tokenOf(row.id);
  return {
    token,
    // The page reads the token after the `#`, which browsers send neither to a server nor in a Referer.
    path: `dashboard/#/shared/${token}`,
    status: isExpired(row, nowMs) ? 'expired' : 'active',
    has_password: row.password !== null,
    expires_at: instantOrNull(row.expires_at),
    created_at: formatInstant(row.created_at.getTime()),
    updated_at: formatInstant(row.updated_at.getTime()),
  };
}
