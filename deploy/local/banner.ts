import type { EnvironmentName } from '../../shared/records/records.js';
import type { Credentials } from './credentials.js';
import { SAMPLE_CARD_PATH } from './sample-type.js';

export interface BannerInput {
  readonly credentials: Credentials;
  readonly credentialsFile: string;
  /** The file with the connection string of the embedded database; null if the operator provides a database. */
  readonly databaseUrlFile: string | null;
  /** The environments whose keys this start has created. Only these keys are shown. */
  readonly made: readonly EnvironmentName[];
  readonly first: boolean;
  /** Whether the demo's resource type exists. */
  readonly showsSample: boolean;
  /** Whether keys may be shown: only on a terminal, where no log stores them. */
  readonly showsKeys: boolean;
  /** Health and metrics. */
  readonly adminUrls: readonly string[];
}

const EXAMPLE_PATH = 'hello';

/** A link whose three destinations show at a glance which one was chosen. */
const EXAMPLE_LINK = {
  path: EXAMPLE_PATH,
  deep_link_path: '/welcome',
  destinations: { ios: 'https://example.com/iphone', android: 'https://example.com/android', web: 'https://example.com/' },
};

function keyLines({ credentials, made }: BannerInput): readonly string[] {
  return made.flatMap((name) => [
    `  ${name}  secret key       ${credentials[name].secret_key}`,
    `        publishable key  ${credentials[name].publishable_key}`,
    `        link host        ${credentials[name].link_origin}`,
  ]);
}

/** Keys are shown once, and only on a terminal. Otherwise the file is named, which only its owner can read. */
function newKeyLines(input: BannerInput): readonly string[] {
  if (input.showsKeys) return ['These keys are shown only once:', '', ...keyLines(input)];
  return [`The keys are in ${input.credentialsFile}.`];
}

function sampleLines({ credentials }: BannerInput): readonly string[] {
  return [
    "Share an item: this is the card that Slack shows, with data from the sample metadata API of the demo's live environment:",
    '',
    `  curl -s -A Slackbot ${credentials.live.link_origin}${SAMPLE_CARD_PATH}`,
    '',
  ];
}

/** What the start prints when everything serves: plain text, with each command on one line for pasting. */
export function banner(input: BannerInput): string {
  const { credentials, credentialsFile, databaseUrlFile, first, made, showsSample, showsKeys, adminUrls } = input;
  // If the key is not shown here, the shell reads it from the file.
  const key =
    showsKeys && made.includes('test')
      ? credentials.test.secret_key
      : `$(node -p "JSON.parse(fs.readFileSync('${credentialsFile}')).test.secret_key")`;
  const lost = made.length > 0 && !first;
  return [
    '',
    first ? 'The service runs.' : 'The service is running again.',
    ...(lost ? [`The keys in ${credentialsFile} were lost or belong to another database. There are new ones.`] : []),
    ...(made.length > 0 ? newKeyLines(input) : []),
    '',
    `Sign in with a secret key at  ${credentials.dashboard_url}`,
    '',
    'Make a link:',
    '',
    `  curl -s ${credentials.base_url}/links -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' -d '${JSON.stringify(EXAMPLE_LINK)}'`,
    '',
    'Follow it, from a desktop and as an iPhone:',
    '',
    `  curl -sI ${credentials.test.link_origin}/${EXAMPLE_PATH}`,
    `  curl -sI ${credentials.test.link_origin}/${EXAMPLE_PATH} -A 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'`,
    '',
    ...(showsSample ? sampleLines(input) : []),
    'Where to look next:',
    '',
    `  ${credentialsFile}  keys and addresses`,
    `  ${credentials.dashboard_url.replace(/dashboard\/$/, 'docs')}  guides, and every operation of the API`,
    `  ${databaseUrlFile === null ? '' : `DATABASE_URL=$(cat '${databaseUrlFile}') `}node dist/deploy/command-line/linkd.js --help  projects, hosts, keys`,
    ...adminUrls.map((url) => `  ${url}/health/ready and ${url}/metrics`),
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}
