import { casePairsSchema } from '../schemas/case-pairs.js';
import {
  domainCreateSchema,
  domainListQuerySchema,
  domainPageSchema,
  domainParamsSchema,
  domainPatchSchema,
  domainSchema,
} from '../schemas/domain.js';
import { domainConnectionSchema } from '../schemas/domain-connection.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS, WRITE_LINKS } from './scopes.js';

export const DOMAIN_ROUTES = {
  listDomains: {
    method: 'GET',
    path: '/domains',
    summary: 'List domains',
    scopes: READ_LINKS,
    query: domainListQuerySchema,
    response: { status: 200, description: 'A page of domains, newest first', schema: domainPageSchema },
  },
  createDomain: {
    method: 'POST',
    path: '/domains',
    summary: 'Add a domain',
    description:
      'Set the TXT record of the answer, and the host’s address to this service’s link hosts. The record is looked up by itself, at first every minute, and for 72 hours; then the domain is `failed` and `domain.failed` is emitted. IP addresses, local names and hosts of the service are refused. A host can be claimed in several environments and verified in one. At most 100 domains per environment; a host that is there already is 409.',
    scopes: WRITE_LINKS,
    body: domainCreateSchema,
    examples: { subdomain: { hostname: 'links.example.com' } },
    response: { status: 201, description: 'The domain, with the DNS record to set', schema: domainSchema, etag: true },
  },
  getDomain: {
    method: 'GET',
    path: '/domains/{domain}',
    summary: 'Read a domain',
    scopes: READ_LINKS,
    params: domainParamsSchema,
    response: { status: 200, description: 'The domain', schema: domainSchema, etag: true },
  },
  updateDomain: {
    method: 'PATCH',
    path: '/domains/{domain}',
    summary: 'Change a domain',
    description:
      'What visitors of the host get whom no link leads anywhere, and whether case counts. Its name cannot change. With `case_insensitive` both links of a pair such as `/Spring` and `/spring` stay as they are: a path is tried in lower case only where it leads nowhere as it is. `GET /domains/{domain}/case-pairs` lists such pairs.',
    scopes: WRITE_LINKS,
    params: domainParamsSchema,
    body: domainPatchSchema,
    examples: {
      own_pages: { redirects: { root: 'https://example.com/', not_found: 'https://example.com/404' } },
      any_case: { case_insensitive: true },
    },
    response: { status: 200, description: 'The domain after the change', schema: domainSchema, etag: true },
    problems: ['url_blocked'],
  },
  deleteDomain: {
    method: 'DELETE',
    path: '/domains/{domain}',
    summary: 'Delete a domain',
    description:
      'The host no longer answers, and another environment may verify it. Links that were shown on it keep working and are shown on the link host. Two things are refused with 409 and have to be changed first: an `open_host` of the environment that is below the domain, and neither below the link host nor below another verified domain; and links whose address on the link host would be an alias of another link (`detail` says how many there are, and names the first alias).',
    scopes: WRITE_LINKS,
    params: domainParamsSchema,
    response: { status: 204, description: 'Deleted' },
    problems: ['conflict'],
  },
  getDomainConnection: {
    method: 'GET',
    path: '/domains/{domain}/connection',
    summary: 'See where a domain leads',
    description:
      'The records that lead the host to this service, and what is really there: what DNS says now, who answers when the host is called, and the certificate that it shows. Nothing is kept, and `status` of the domain does not change by it. Takes up to 10 seconds where a server does not answer.',
    scopes: READ_LINKS,
    params: domainParamsSchema,
    response: { status: 200, description: 'What is to be set and what is there', schema: domainConnectionSchema },
  },
  getDomainCasePairs: {
    method: 'GET',
    path: '/domains/{domain}/case-pairs',
    summary: 'See which addresses differ in case alone',
    description:
      'Pairs such as `/Spring` and `/spring` among the addresses that the host answers: paths of the links of the environment, and aliases on the host. With `case_insensitive` each of them keeps its own visitors, and the one in lower case gets those of every other spelling. To look at before it is switched on.',
    scopes: READ_LINKS,
    params: domainParamsSchema,
    response: { status: 200, description: 'The first hundred pairs', schema: casePairsSchema },
  },
  verifyDomain: {
    method: 'POST',
    path: '/domains/{domain}/verify',
    summary: 'Check a domain now',
    description:
      'Looks the TXT record up now. Found: the domain is `verified` and `domain.verified` is emitted. Not found: a domain that is not verified is `failed` and `domain.failed` is emitted; it is still looked up by itself for 72 hours after it was added. Without an answer of DNS the state stays as it is. A check that is requested here always emits the event of the state that the domain has after it, unless that is `pending`; checks that run by themselves do so only when the state changes. A verified domain is looked up every day; one whose record is missing for 72 hours is `failed`. An `open_host` of the environment that is below it is set back to `open.` before the link host then, unless it is below another verified domain too. Links of a domain that has become `failed` are shown on the link host. One whose address there is an alias of another link keeps its `url` on the domain, which no longer answers, until that alias is taken away or the link has another `domain`.',
    scopes: WRITE_LINKS,
    params: domainParamsSchema,
    response: { status: 200, description: 'The domain after the check', schema: domainSchema, etag: true },
  },
} as const satisfies Record<string, UntaggedRoute>;
