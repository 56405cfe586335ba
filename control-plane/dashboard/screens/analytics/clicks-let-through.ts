import type { ClickFilter } from '../../../../shared/contract/schemas/clicks-query.js';
import type { EventData } from '../../../../shared/contract/schemas/events.js';
import type { Asked } from './asked.js';

/** What a click calls a field, where that is something else. */
const MEMBERS = { link: 'link_id', item: 'item_id' } as const;

/** Whether the filters let the click through; '' lets through what has no value. No click says the tags of its link: all do as to those. */
export function letsThrough({ tag: _, ...filters }: Asked['filters'], click: EventData<'click.created'>): boolean {
  return (Object.entries(filters) as [ClickFilter, string][]).every(([name, value]) => {
    const member = name === 'link' || name === 'item' ? MEMBERS[name] : name;
    return (click[member] ?? '') === value;
  });
}
