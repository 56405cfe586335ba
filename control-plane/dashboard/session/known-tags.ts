import { useMemo } from 'react';
import type { Tag } from '../../../shared/contract/schemas/tag.js';
import { useAllRows } from './queries.js';

/** All tags of the environment by their names, as people look for them. The API lists the newest first. */
export function useKnownTags(): readonly Tag[] {
  const { rows } = useAllRows('GET /tags', {});
  return useMemo(() => [...rows].sort((one, other) => one.name.localeCompare(other.name)), [rows]);
}
