import { laterThan } from '../../shared/base/instant.js';
import type { Link } from '../../shared/contract/schemas/link.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { type EventRow, linkBlockedEvent } from '../../shared/webhooks/body.js';
import { blockedUrls } from '../blocklist/check.js';
import type { Database, Queryable } from '../db/database.js';
import { insertEvents } from '../events/emit.js';
import { linkUrls } from '../links/card.js';
import { type LinkRow, linkOfRow } from '../links/link-row.js';
import { noteBlockedUrls } from './block-settings.js';
import { BEFORE_ANSWERS, forgetListedAnswers, isAmongAnswers } from './listed-answers.js';
import * as sql from './scan-sql.js';

/** How many links one step reads. This takes some ten milliseconds. */
const STEP_LINKS = 1_000;

/**
 * A link would be missed if it was checked before an import committed and stored after the scan had passed its position. So the scan is
 * repeated until one began this long after the change; no request takes as long.
 */
const LATE_WRITER_MS = 60_000;

/** A repeated scan finds what the other rules missed, for example after a backup was restored. */
const RESCAN_MS = 24 * 3_600_000;

export interface ScanStep {
  /** `more`: another step should follow at once. `busy`: another process is doing this step. `idle`: there is nothing to do now. */
  readonly next: 'more' | 'busy' | 'idle';
  readonly blocked: number;
  /** How many environments, domains, templates and metadata APIs have other blocked URLs than before. */
  readonly settings: number;
  /** How many remembered answers of metadata APIs were forgotten because they name a listed URL. */
  readonly forgotten: number;
}

const NOTHING_SCANNED = { blocked: 0, settings: 0, forgotten: 0 } as const;

/**
 * One step of a scan. It blocks links that lead to what was listed after they were created, withholds such URLs of settings from the
 * engines, and forgets remembered answers of metadata APIs that name one. Its progress is stored in the same transactions, so any number of
 * control planes may call this, and if one is killed, nothing is lost. A link is blocked whether it is active or disabled, because its
 * owner could otherwise enable it again.
 */
export async function blockLinksStep(database: Database, form: LinkUrlForm, nowMs: number): Promise<ScanStep> {
  const begun = await beginScanIfDue(database);
  if (typeof begun === 'string') return { ...NOTHING_SCANNED, next: begun };
  return { ...(await continueScan(database, form, nowMs)), settings: begun };
}

/**
 * Begins a scan if none is in progress and one is due, and returns how many objects have other blocked URLs than before. Settings come
 * first and all at once, because they are few compared to links, and each affects many visits. They have a transaction of their own: one
 * that locked links after environments would deadlock with a change of the link host (`changeHosts`).
 */
function beginScanIfDue(database: Database): Promise<number | 'busy' | 'idle'> {
  return database.transaction(async (transaction) => {
    const state = await sql.lockScan(transaction);
    if (state === null) return 'busy';
    if (state.cursor !== null) return 0;
    if (!isScanDue(state)) return 'idle';
    await sql.beginScan(transaction);
    return noteBlockedUrls(transaction);
  });
}

function continueScan(database: Database, form: LinkUrlForm, nowMs: number): Promise<ScanStep> {
  return database.transaction(async (transaction) => {
    const state = await sql.lockScan(transaction);
    if (state === null) return { ...NOTHING_SCANNED, next: 'busy' };
    const { cursor } = state;
    if (cursor === null) return { ...NOTHING_SCANNED, next: 'idle' };
    const links = isAmongAnswers(cursor) ? [] : await sql.linksAfter(transaction, cursor, STEP_LINKS);
    const blocked = await blockListed(transaction, links, form, nowMs);
    const last = links.length === STEP_LINKS ? links.at(-1) : undefined;
    const { cursor: reached, forgotten } =
      last === undefined
        ? await forgetListedAnswers(transaction, isAmongAnswers(cursor) ? cursor : BEFORE_ANSWERS)
        : { cursor: last.id, forgotten: 0 };
    await sql.moveScan(transaction, reached);
    return { ...NOTHING_SCANNED, next: reached === null ? 'idle' : 'more', blocked, forgotten };
  });
}

function isScanDue({ changed_at, began_at, now }: sql.ScanState): boolean {
  if (changed_at === null) return false;
  if (began_at === null || began_at < changed_at) return true;
  const nowMs = now.getTime();
  const settledMs = changed_at.getTime() + LATE_WRITER_MS;
  return (began_at.getTime() < settledMs && nowMs >= settledMs) || nowMs - began_at.getTime() >= RESCAN_MS;
}

async function blockListed(transaction: Queryable, links: readonly sql.ScannedLink[], form: LinkUrlForm, nowMs: number): Promise<number> {
  const listed = await blockedUrls(transaction, links.flatMap(linkUrls));
  if (listed.size === 0) return 0;
  const ids = links.filter((link) => linkUrls(link).some((url) => listed.has(url))).map((link) => link.id);
  const events: EventRow[] = [];
  const blockedIds: string[] = [];
  // The links are locked and read again, because an owner may have changed or deleted one since.
  for (const row of await sql.lockLinks(transaction, ids)) {
    const destination = linkUrls(row).find((url) => listed.has(url));
    if (destination === undefined) continue;
    blockedIds.push(row.id);
    events.push(blockedEvent(row, form, destination, nowMs));
  }
  await sql.blockLinks(transaction, blockedIds, nowMs);
  await insertEvents(transaction, events);
  return blockedIds.length;
}

function blockedEvent(row: sql.LockedLink, form: LinkUrlForm, destination: string, nowMs: number): EventRow {
  const { environment_id, environment, link_host } = row;
  const after: LinkRow = { ...row, state: 'blocked', updated_at: laterThan(row.updated_at, nowMs) };
  const link: Link = linkOfRow(after, { environment, linkHost: link_host, form, nowMs });
  return linkBlockedEvent({ environment_id, environment, at_ms: nowMs }, link, destination);
}
