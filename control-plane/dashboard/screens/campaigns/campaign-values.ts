import type { Campaign, CampaignPatch } from '../../../../shared/contract/schemas/campaign.js';
import { fromLocalInput, toLocalInput } from '../../format/times.js';
import type { FieldValues } from '../../forms/field-values.js';
import { assemble } from '../../forms/pointers.js';
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

/** Returns every field except the key. An empty field clears the member, except for the name, which every campaign has. */
export function campaignBody(values: FieldValues, timeZone: string): CampaignPatch & { readonly name: string } {
  const members = Object.entries(values).flatMap(([field, value]): [string, unknown][] => {
    if (field === '/key') return [];
    const text = String(value).trim();
    if (field === '/name') return [[field, text]];
    return [[field, field.endsWith('_at') ? fromLocalInput(text, timeZone) : text === '' ? null : text]];
  });
  return assemble(Object.fromEntries(members)) as CampaignPatch & { readonly name: string };
}
