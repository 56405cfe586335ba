import { uuidToId } from '../../shared/base/ids.js';
import type { Install } from '../../shared/contract/schemas/install.js';

/** An installation as the table stores it. */
export interface InstallRow
  extends Pick<
    Install,
    'install_id' | 'platform' | 'os_version' | 'model' | 'attribution' | 'match_type' | 'reason' | 'link_id' | 'campaign'
  > {
  /** The key by which lists are sorted. It is not part of the API's response. */
  readonly id: string;
  readonly opened_at: Date;
  /** As `uuid`. */
  readonly click_id: string | null;
  readonly guaranteed: boolean | null;
  readonly resource_type: string | null;
  readonly item_id: string | null;
}

export function installOfRow({ id: _, opened_at, click_id, guaranteed, ...row }: InstallRow, environment: Install['environment']): Install {
  return {
    ...row,
    environment,
    opened_at: opened_at.toISOString(),
    click_id: click_id === null ? null : uuidToId('click', click_id),
    guaranteed: guaranteed === true,
  };
}
