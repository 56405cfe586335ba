import type { FileSource } from '../../../../shared/contract/schemas/link-import.js';
import { type Message, message, textOf } from '../../language/text.js';

/** Sources whose files the page reads. NDJSON and CSV are distinguished by the content of the file. */
export const SOURCES: readonly { readonly source: Exclude<FileSource, 'ndjson'>; readonly title: Message; readonly file: Message }[] = [
  { source: 'csv', title: message('CSV or NDJSON'), file: message('An export of this service, or a file with the same columns') },
  { source: 'bitly', title: message('Bitly'), file: message('Its CSV export. Custom Bitlinks become aliases') },
  { source: 'firebase', title: message('Firebase Dynamic Links'), file: message('Its CSV export, one file per domain') },
  { source: 'dub', title: message('Dub'), file: message('Its CSV export') },
];

/** Sources that are read through an API. Their API keys belong on a server, where the command line runs. */
const COMMANDS: readonly { readonly title: Message; readonly source: string; readonly options: string }[] = [
  { title: message('Bitly, by its API'), source: 'bitly', options: '--api-key-file key.txt' },
  { title: message('Rebrandly'), source: 'rebrandly', options: '--api-key-file key.txt' },
  { title: message('Dub, by its API'), source: 'dub', options: '--api-key-file key.txt' },
  { title: message('Shlink'), source: 'shlink', options: '--api-key-file key.txt --base-url https://shlink.example.com' },
  { title: message('Kutt'), source: 'kutt', options: '--api-key-file key.txt --base-url https://kutt.example.com' },
  { title: message('Branch'), source: 'branch', options: '--api-key-file key.txt --file urls.txt' },
];

export function commandsFor(environmentId: string): readonly { readonly title: string; readonly command: string }[] {
  return COMMANDS.map(({ title, source, options }) => ({
    title: textOf(title),
    command: `npx linkd import ${source} ${options} --env ${environmentId} --dry-run`,
  }));
}
