import Type from 'typebox';
import { urlIn } from './destination-fields.js';
import { closedObject, id, nullable, oneOf, page, pageQuery, plainText, text, timestamp } from './fields.js';
import { qrStyleInSchema, qrStyleSchema } from './link-qr.js';

/** RFC 1035, 2.3.4: 255 octets with the lengths of its labels. */
const HOSTNAME_CHARACTERS_MAX = 253;

const DOMAIN_STATUSES = ['pending', 'verified', 'failed'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** What a check can find instead of the record. */
const DOMAIN_FAILURES = ['record_missing', 'record_differs', 'dns_error', 'taken'] as const;
export type DomainFailure = (typeof DOMAIN_FAILURES)[number];

const redirectHelp = {
  root: 'For the root of the host, `/`',
  not_found: 'For a path that leads nowhere, and for a disabled link',
  expired: 'For a link that has expired',
};

const redirectsSchema = Type.Object(
  {
    root: nullable(text(redirectHelp.root)),
    not_found: nullable(text(redirectHelp.not_found)),
    expired: nullable(text(redirectHelp.expired)),
  },
  { description: 'Where to send visitors whose URL leads nowhere; null shows a page of the service' },
);

const redirectsInSchema = closedObject(
  { root: urlIn(redirectHelp.root), not_found: urlIn(redirectHelp.not_found), expired: urlIn(redirectHelp.expired) },
  {
    description:
      'Where to send visitors whose URL leads nowhere: http or https. It may be a link on the host itself. If that link does not exist, visitors get the page of the service instead of a redirect loop. An absent member keeps its value, null clears it, and null instead of the object clears all three.',
    examples: [{ root: 'https://example.com/', not_found: 'https://example.com/404' }],
  },
);

const caseHelp =
  'Whether a path that leads nowhere is tried again in lower case, so that `/Spring` leads to `/spring`. Existing links do not collide when you switch it on, because the exact path is always tried first: the links `/Spring` and `/spring` keep their own visitors, and `/SPRING`, which led nowhere before, leads to `/spring`. Only links and aliases that are all lower case get visitors of other spellings';

export const domainSchema = Type.Object(
  {
    id: id('dom_', 'Id of the domain'),
    hostname: text('The custom host, in lower case and ASCII', { examples: ['links.example.com'] }),
    status: oneOf(DOMAIN_STATUSES, '`pending` until the record is found; a verified host answers the links of the environment'),
    failure_reason: nullable(
      oneOf(
        DOMAIN_FAILURES,
        'What the last check found instead of the record: no TXT record, other TXT records, or no response from DNS; `taken`: another environment has verified the host',
      ),
    ),
    dns_record: Type.Object(
      {
        type: Type.Literal('TXT', { description: 'Type of the record' }),
        name: text('Name of the record', { examples: ['_link-verification.links.example.com'] }),
        value: text('Value of the record'),
      },
      { description: 'The DNS record to set. It proves that the host is yours' },
    ),
    case_insensitive: Type.Boolean({ description: caseHelp }),
    redirects: redirectsSchema,
    qr_style: nullable(qrStyleSchema),
    last_checked_at: nullable(timestamp('When the record was last looked up')),
    created_at: timestamp('When the domain was added'),
    updated_at: timestamp('When its state last changed'),
  },
  { description: 'A custom host for short URLs' },
);

export type Domain = Type.Static<typeof domainSchema>;

export const domainCreateSchema = closedObject(
  {
    hostname: plainText('A host name of yours, without scheme and port, for example `links.example.com`', 1, HOSTNAME_CHARACTERS_MAX),
  },
  { description: 'A domain to add' },
);

export const domainPatchSchema = closedObject(
  {
    case_insensitive: Type.Optional(Type.Boolean({ description: caseHelp })),
    redirects: Type.Optional(nullable(redirectsInSchema)),
    qr_style: Type.Optional(nullable(qrStyleInSchema)),
  },
  { description: 'Fields to change. An absent field keeps its value.' },
);
export type DomainPatch = Type.Static<typeof domainPatchSchema>;

export const domainPageSchema = page(domainSchema, 'A page of domains, newest first');
export const domainListQuerySchema = closedObject({
  ...pageQuery,
  status: Type.Optional(oneOf(DOMAIN_STATUSES, 'Only domains in this state')),
  search: Type.Optional(plainText('Only domains whose hostname contains this text, in any case', 1, HOSTNAME_CHARACTERS_MAX)),
});
export const domainParamsSchema = Type.Object({ domain: id('dom_', 'Id of the domain') });
