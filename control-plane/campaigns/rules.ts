import { parseInstant } from '../../shared/base/instant.js';
import type { CampaignCreate, CampaignPatch } from '../../shared/contract/schemas/campaign.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { UTM_FIELDS } from '../../shared/records/records.js';
import { fieldError } from '../http/problems.js';
import { type CampaignRow, campaignStatus } from './campaign-row.js';

/** The row of a new campaign, from a body that passed its schema. */
export function newCampaignRow(body: CampaignCreate, id: string, nowMs: number): CampaignRow {
  const created = new Date(nowMs);
  return settled(
    {
      id,
      key: body.key,
      name: body.name,
      utm_source: body.utm_source ?? null,
      utm_medium: body.utm_medium ?? null,
      utm_campaign: body.utm_campaign ?? null,
      utm_term: body.utm_term ?? null,
      utm_content: body.utm_content ?? null,
      status: 'active',
      starts_at: dateOf(body.starts_at, null),
      ends_at: dateOf(body.ends_at, null),
      created_at: created,
      updated_at: created,
    },
    nowMs,
  );
}

/**
 * The row after a change: an absent field keeps its value, null clears it. A campaign that has ended stays ended, whether or not its end
 * was stored. The caller sets `updated_at`.
 */
export function patchedCampaignRow(row: CampaignRow, patch: CampaignPatch, nowMs: number): CampaignRow {
  const utm = Object.fromEntries(UTM_FIELDS.map((field) => [field, patch[field] === undefined ? row[field] : patch[field]]));
  return settled(
    {
      ...row,
      ...utm,
      name: patch.name ?? row.name,
      status: patch.status ?? campaignStatus(row, nowMs),
      starts_at: dateOf(patch.starts_at, row.starts_at),
      ends_at: dateOf(patch.ends_at, row.ends_at),
    },
    nowMs,
  );
}

/** The row with the status `ended` if the campaign has ended. */
function settled(row: CampaignRow, nowMs: number): CampaignRow {
  return { ...row, status: campaignStatus(row, nowMs) };
}

function dateOf(given: string | null | undefined, kept: Date | null): Date | null {
  if (given === undefined) return kept;
  return given === null ? null : new Date(parseInstant(given) as number);
}

/** What is wrong with the dates. `pointer` is the field that the error names. */
export function periodErrors({ starts_at, ends_at }: Pick<CampaignRow, 'starts_at' | 'ends_at'>, pointer: string): readonly FieldError[] {
  if (starts_at === null || ends_at === null || starts_at.getTime() < ends_at.getTime()) return [];
  return [fieldError('body', pointer, 'invalid_range', 'must be such that ends_at is later than starts_at')];
}

/** The dates of an unchecked body; null if one is absent or not a date. */
export function periodOf(body: Readonly<Record<string, unknown>>): Pick<CampaignRow, 'starts_at' | 'ends_at'> {
  const read = (value: unknown): Date | null => {
    const at = typeof value === 'string' ? parseInstant(value) : null;
    return at === null ? null : new Date(at);
  };
  return { starts_at: read(body.starts_at), ends_at: read(body.ends_at) };
}

/** The dates after a change with an unchecked body: an absent one keeps its value. One that is not a date is null. */
export function patchedPeriod(row: CampaignRow, body: Readonly<Record<string, unknown>>): Pick<CampaignRow, 'starts_at' | 'ends_at'> {
  const given = periodOf(body);
  return {
    starts_at: body.starts_at === undefined ? row.starts_at : given.starts_at,
    ends_at: body.ends_at === undefined ? row.ends_at : given.ends_at,
  };
}

/** Whether links of the campaign get other fields than before. */
export function changesLinks(before: CampaignRow, after: CampaignRow): boolean {
  return UTM_FIELDS.some((field) => before[field] !== after[field]);
}

export function isUnchanged(before: CampaignRow, after: CampaignRow): boolean {
  const fields = ['name', 'status', ...UTM_FIELDS] as const;
  const dates = ['starts_at', 'ends_at'] as const;
  return fields.every((field) => before[field] === after[field]) && dates.every((at) => before[at]?.getTime() === after[at]?.getTime());
}
