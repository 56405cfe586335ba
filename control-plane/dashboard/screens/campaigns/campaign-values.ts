import type { Campaign, CampaignPatch } from '../../../../shared/contract/schemas/campaign.js';
import { fromLocalInput, toLocalInput } from '../../format/times.js';
import { fieldRefusal } from '../../forms/field-refusal.js';
import type { FieldValues } from '../../forms/field-values.js';
import { assemble } from '../../forms/pointers.js';
import { text } from '../../language/text.js';
import { UTM_NAMES } from '../links/link-words.js';

/** Converts between a campaign and the fields of its form. */
export function campaignValues(campaign: Campaign | null, timeZone: string): FieldValues {
  return {
    '/key': campaign?.key ?? '',
    '/name': campaign?.name ?? '',
    '/starts_at': toLocalInput(campaign?.starts_at ?? null, timeZone),
    '/ends_at': toLocalInput(campaign?.ends_at ?? null, timeZone),
    ...Object.fromEntries(UTM_NAMES.map((name) => [`/${name}`, campaign?.[name] ?? ''])),
  };
}

/**
 * Returns every field except the key. An empty field clears the member, except for the name, which every campaign has. Throws at the end if
 * it is not later than the beginning, because the API calls both by its own names.
 */
export function campaignBody(values: FieldValues, timeZone: string): CampaignPatch & { readonly name: string } {
  const members = Object.entries(values).flatMap(([field, value]): [string, unknown][] => {
    if (field === '/key') return [];
    const typed = String(value).trim();
    if (field === '/name') return [[field, typed]];
    return [[field, field.endsWith('_at') ? fromLocalInput(typed, timeZone) : typed === '' ? null : typed]];
  });
  const body = assemble(Object.fromEntries(members)) as CampaignPatch & { readonly name: string };
  const { starts_at: starts = null, ends_at: ends = null } = body;
  if (starts !== null && ends !== null && ends <= starts)
    throw fieldRefusal('/ends_at', 'invalid_range', text('must be later than the start'));
  return body;
}
