import Type from 'typebox';
import { RENDERED_URL_CHARACTERS_MAX, USER_AGENT_CHARACTERS_MAX } from '../../base/limits.js';
import { OUTCOMES, PASSWORD_PAGE } from '../../resolve/follow-link.js';
import { PLATFORMS } from '../../resolve/recognise-visitor.js';
import { closedObject, nullable, oneOf, text } from './fields.js';
import { traceSchema } from './trace.js';

export const linkTestSchema = closedObject(
  {
    path: Type.String({
      minLength: 1,
      maxLength: RENDERED_URL_CHARACTERS_MAX,
      description: 'A URL or a path, with the query a visitor would add',
      examples: ['https://go.example.com/spring?ref=mail', '/spring'],
    }),
    platform: Type.Optional(
      oneOf(PLATFORMS, 'A person on this platform; `desktop` where absent and no user agent is given. Goes before what `user_agent` says'),
    ),
    user_agent: Type.Optional(
      Type.String({
        format: 'plain-text',
        minLength: 1,
        maxLength: USER_AGENT_CHARACTERS_MAX,
        description: 'The `User-Agent` of the visitor: decides platform, preview bots and programs as on a visit',
      }),
    ),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        description: 'Where the visitor is: ISO 3166-1 alpha-2. Not known where absent',
        examples: ['DE'],
      }),
    ),
  },
  { description: 'A short URL or path to try' },
);

const LINK_TEST_RESULTS = ['link', 'no_link', 'reserved', 'unknown_host'] as const;

const outcomeHelp =
  'What the visitor gets. `redirect`: to the destination; `to_open_page`: to the same path on the open host; `to_store`: to the store, coming from the open page, whose button did not open the app; `to_link`: from the open host to the link; `open_page`, `app_page`: a page that opens the app; `no_destination`: a page that names the app; `password_page`: the page that asks for the password of the link, and the other fields say where it leads those who know it; `card`: a preview card; `preview_redirect`: a preview bot is sent to the web destination, whose own card is shown; else why the link leads nowhere';

export const linkTestResultSchema = Type.Object(
  {
    result: oneOf(
      LINK_TEST_RESULTS,
      '`link`: the path of a link, whether there is one or not; `reserved`: an address the link host answers itself; `no_link`: the path of no link',
    ),
    link_id: nullable(text('Id of the link; null if there is none. Deleted links are named too')),
    outcome: nullable(oneOf([...OUTCOMES, PASSWORD_PAGE.outcome], outcomeHelp)),
    status: nullable(Type.Integer({ description: 'The HTTP status visitors get' })),
    destination: nullable(
      text(
        'Where the visitor is led, parameters included; the id of a click is added on a visit. For a link that leads nowhere the page that `redirects` of a custom host names, if it does',
      ),
    ),
    deep_link_path: nullable(text('In-app route the app is handed')),
    data: nullable(Type.Object({}, { additionalProperties: true, description: 'Custom JSON the app is handed' })) as Type.TUnsafe<Record<
      string,
      unknown
    > | null>,
    params: nullable(
      Type.Object(
        {},
        {
          additionalProperties: { type: 'string' },
          description: 'Query parameters the app is handed; the first value where a name repeats',
        },
      ),
    ) as Type.TUnsafe<Record<string, string> | null>,
    params_dropped: Type.Boolean({ description: 'The query is larger than allowed and is dropped whole' }),
    detail: text('Why, in a sentence'),
    trace: traceSchema,
  },
  { description: 'What a visitor of a short URL gets' },
);
export type LinkTestResult = Type.Static<typeof linkTestResultSchema>;
