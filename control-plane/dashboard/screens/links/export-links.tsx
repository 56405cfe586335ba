import { EXPORTED_IDS_MAX } from '../../../../shared/base/export-limits.js';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import type { Input } from '../../api/contract.js';
import { rich } from '../../language/rich.js';
import { ExportFile } from '../../parts/export-file.js';

type Query = NonNullable<Input<'GET /exports/links'>['query']>;

interface ExportLinksProps {
  /** The filters of the list. */
  readonly query: Query;
  readonly filtered: boolean;
  readonly onClose: () => void;
}

export function ExportLinks({ query, filtered, onClose }: ExportLinksProps) {
  const command = { command: <code>linkd import</code> };
  return filtered ? (
    <ExportFile kind="links" queries={[{ archived: false, ...query }]} onClose={onClose}>
      {rich(
        'All links that match the filters of the list, with the clicks that they had before they were imported. Both formats can be imported again with {command}. They contain no passwords.',
        command,
      )}
    </ExportFile>
  ) : (
    <ExportFile kind="links" onClose={onClose}>
      {rich(
        'All links, including archived ones, with the clicks that they had before they were imported. Both formats can be imported again with {command}. They contain no passwords.',
        command,
      )}
    </ExportFile>
  );
}

export function ExportChosen({ links, onClose }: { readonly links: readonly Link[]; readonly onClose: () => void }) {
  const ids = links.map(({ id }) => id);
  const queries = Array.from({ length: Math.ceil(ids.length / EXPORTED_IDS_MAX) }, (_, call) => ({
    ids: ids.slice(call * EXPORTED_IDS_MAX, (call + 1) * EXPORTED_IDS_MAX).join(','),
  }));
  return (
    <ExportFile kind="links" queries={queries} onClose={onClose}>
      {rich(
        'The chosen links, with the clicks that they had before they were imported. Both formats can be imported again with {command}. They contain no passwords.',
        { command: <code>linkd import</code> },
      )}
    </ExportFile>
  );
}
