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
      description: 'A URL or a path, including the query that a visitor would send',
      examples: ['https://go.example.com/spring?ref=mail', '/spring'],
    }),
    platform: Type.Optional(
      oneOf(PLATFORMS, 'A person on this platform. It takes precedence over `user_agent`. If both are absent, it is `desktop`'),
    ),
    user_agent: Type.Optional(
      Type.String({
        format: 'plain-text',
        minLength: 1,
        maxLength: USER_AGENT_CHARACTERS_MAX,
        description:
          'The `User-Agent` of the visitor. As on a visit, it decides the platform and whether the visitor is a bot or a preview bot',
      }),
    ),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        format: 'country',
        description: 'Country of the visitor: ISO 3166-1 alpha-2. If it is absent, the country is unknown',
        examples: ['DE'],
      }),
    ),
  },
  { description: 'A short URL or path to try' },
);

const LINK_TEST_RESULTS = ['link', 'no_link', 'reserved', 'unknown_host'] as const;

const outcomeHelp =
  'What the visitor gets. `redirect`: to the destination; `to_open_page`: to the same path on the open host; `to_store`: to the store, after the button of the open page did not open the app; `to_link`: from the open host to the link; `open_page`, `app_page`: a page that opens the app; `no_destination`: a page that names the app; `password_page`: the page that asks for the password of the link (the other fields say where it leads visitors who know the password); `card`: a preview card; `preview_redirect`: a preview bot is redirected to the web destination, and the card of that page is shown. Any other value says why the link leads nowhere';

export const linkTestResultSchema = Type.Object(
  {
    result: oneOf(
      LINK_TEST_RESULTS,
      '`link`: a path that a link can have, whether or not the link exists; `reserved`: an address that the link host uses itself; `no_link`: a path that no link can have',
    ),
    link_id: nullable(text('Id of the link, also of a deleted one; null if there is none')),
    outcome: nullable(oneOf([...OUTCOMES, PASSWORD_PAGE.outcome], outcomeHelp)),
    status: nullable(Type.Integer({ description: 'The HTTP status visitors get' })),
    destination: nullable(
      text(
        'Where the visitor is sent, including the parameters; the id of the click is added on a real visit. For a link that leads nowhere, it is the page in `redirects` of the custom host, if there is one',
      ),
    ),
    deep_link_path: nullable(text('In-app route that the app gets')),
    data: nullable(Type.Object({}, { additionalProperties: true, description: 'Custom JSON that the app gets' })) as Type.TUnsafe<Record<
      string,
      unknown
    > | null>,
    params: nullable(
      Type.Object(
        {},
        {
          additionalProperties: { type: 'string' },
          description: 'Query parameters that the app gets; if a name repeats, its first value',
        },
      ),
    ) as Type.TUnsafe<Record<string, string> | null>,
    params_dropped: Type.Boolean({ description: 'Whether the whole query is dropped because it is too large' }),
    detail: text('The reason, in a sentence'),
    trace: traceSchema,
  },
  { description: 'What a visitor of a short URL gets' },
);
export type LinkTestResult = Type.Static<typeof linkTestResultSchema>;
