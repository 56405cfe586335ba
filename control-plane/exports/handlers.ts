import { EXPORT_TYPES, type ExportFormat, type ExportMediaType } from '../../shared/contract/schemas/export.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { ClickStore } from '../click-store/click-store.js';
import { headOf } from '../clicks/exported-click.js';
import type { Call, FileStream, Operations } from '../http/operation.js';
import { linkFilterOf, rangeErrors } from '../links/list-filter.js';
import { viewOf } from '../links/view.js';
import { readSpan } from '../local-days/span.js';
import { checkLogSize } from '../stats/log-bounds.js';
import { dayErrors, readWindowAsked } from '../stats/query-days.js';
import type { StatsSource } from '../stats/source.js';
import { allCampaigns, allLinks, CAMPAIGNS_CSV, LINKS_CSV, linesOf, NDJSON } from './exported-links.js';
import { RunningExports, type WriteLines } from './running-exports.js';

export interface ExportDependencies {
  readonly form: LinkUrlForm;
  readonly clickStore: ClickStore;
  /** CLICK_RETENTION_DAYS. */
  readonly clickRetentionDays: number;
}

type ExportOperations = Pick<Operations, 'exportLinks' | 'exportCampaigns' | 'exportClicks'>;
type ExportCall = Pick<Call<'exportLinks'>, 'caller' | 'query'>;

export function exportOperations({ form, clickStore, clickRetentionDays }: ExportDependencies): ExportOperations {
  const running = new RunningExports();
  const answer = async (call: ExportCall, write: (format: ExportFormat, lines: WriteLines) => Promise<void>) => {
    const format = call.query.format ?? 'csv';
    const stream = await running.begin(call.caller.environment.id, (lines) => write(format, lines));
    const body: FileStream<ExportMediaType> = { type: EXPORT_TYPES[format], stream };
    return { body };
  };
  return {
    exportLinks: {
      check: ({ query }) => rangeErrors(query),
      handle: (call, database) =>
        answer(call, async (format, lines) => {
          const { archived = null, ids, ...query } = call.query;
          const filter = { ...linkFilterOf(query, call.nowMs), archived, ...(ids === undefined ? {} : { ids: ids.split(',') }) };
          const links = allLinks(database, call.caller.environment.id, viewOf(call, form), filter);
          for await (const { text } of linesOf(links, format === 'csv' ? LINKS_CSV : NDJSON)) await lines(text);
        }),
    },
    exportCampaigns: {
      handle: (call, database) =>
        answer(call, async (format, lines) => {
          const campaigns = allCampaigns(database, call.caller.environment.id, call.nowMs);
          for await (const { text } of linesOf(campaigns, format === 'csv' ? CAMPAIGNS_CSV : NDJSON)) await lines(text);
        }),
    },
    exportClicks: {
      check: (call) => dayErrors(call, { days: DAYS_DEFAULT, retentionDays: clickRetentionDays }),
      handle: async (call, database) => {
        const wanted = await clicksWanted(call, { database, clickStore }, clickRetentionDays);
        return answer(call, async (format, write) => {
          await write(headOf(format));
          await clickStore.export(database, { ...wanted, format, after: null, write });
        });
      },
    },
  };
}

const DAYS_DEFAULT = 7;

async function clicksWanted({ caller, query, nowMs }: Call<'exportClicks'>, { database, clickStore }: StatsSource, retentionDays: number) {
  const window = await readWindowAsked(database, caller.environment.id, DAYS_DEFAULT, { query, retentionDays, nowMs });
  await checkLogSize(clickStore.reading(database).sizes, [{ window, groupings: 1 }]);
  return { environmentNumber: window.environment_number, span: await readSpan(database, window) };
}
