import type { ClickFilter } from '../../../../shared/contract/schemas/clicks-query.js';
import type { EventData } from '../../../../shared/contract/schemas/events.js';
import type { Asked } from './asked.js';

/** Members of a click whose names differ from those of the filters. */
const MEMBERS = { link: 'link_id', item: 'item_id' } as const;

/**
 * Whether the click passes the filters. '' matches clicks without a value. The filter by tag is ignored, because clicks do not contain the
 * tags of their link.
 */
export function letsThrough({ tag: _, ...filters }: Asked['filters'], click: EventData<'click.created'>): boolean {
  return (Object.entries(filters) as [ClickFilter, string][]).every(([name, value]) => {
    const member = name === 'link' || name === 'item' ? MEMBERS[name] : name;
    return (click[member] ?? '') === value;
  });
}
