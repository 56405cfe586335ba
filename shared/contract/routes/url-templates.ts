import {
  urlTemplateCreateSchema,
  urlTemplateListQuerySchema,
  urlTemplatePageSchema,
  urlTemplateParamsSchema,
  urlTemplatePatchSchema,
  urlTemplateSchema,
  urlTemplateWithWarningsSchema,
  urlTestResultSchema,
  urlTestSchema,
} from '../schemas/url-template.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS, WRITE_LINKS } from './scopes.js';

export const URL_TEMPLATE_ROUTES = {
  listUrlTemplates: {
    method: 'GET',
    path: '/url-templates',
    summary: 'List URL templates',
    description: 'Archived templates are left out unless you set `status=archived`.',
    scopes: READ_LINKS,
    query: urlTemplateListQuerySchema,
    response: { status: 200, description: 'A page of templates, newest first', schema: urlTemplatePageSchema },
  },
  createUrlTemplate: {
    method: 'POST',
    path: '/url-templates',
    summary: 'Create a URL template',
    description:
      'Refused with 409: a pattern that overlaps another one, which `detail` names; a sixth template of a type, not counting archived templates; a template of an archived type. Two patterns overlap if one URL path could match both, whatever their id formats are. Patterns of disabled templates and of archived types count as well. A destination that looks suspicious is stored and reported in `warnings`; one on the block list is 422 `url_blocked`. With the longest id that `id_format` allows, a URL may have at most 8,192 characters and `data` at most 16,384 bytes.',
    scopes: WRITE_LINKS,
    body: urlTemplateCreateSchema,
    examples: {
      numeric_ids: {
        resource_type_id: 'rt_01jd4v6xq8e5s0m3k7n9p2r4tw',
        path_pattern: '/p/{id}',
        id_format: { kind: 'preset', preset: 'numeric' },
        deep_link_path: '/product/{id}',
      },
      every_field: {
        resource_type_id: 'rt_01jd4v6xq8e5s0m3k7n9p2r4tw',
        path_pattern: '/docs/v-{id}.html',
        id_format: { kind: 'charset', charset: 'a-z0-9-', min_length: 1, max_length: 64 },
        deep_link_path: '/{type}/{id}',
        data: { screen: '{type}', item: '{id}' },
        redirects: { ios: 'https://apps.apple.com/app/id1', web: 'https://shop.example.com/{type}/{id}' },
        allow_param_passthrough: true,
      },
    },
    response: { status: 201, description: 'The template with its warnings', schema: urlTemplateWithWarningsSchema, etag: true },
    problems: ['url_blocked'],
  },
  testUrl: {
    method: 'POST',
    path: '/url-templates/test',
    summary: 'Try a URL or path',
    description:
      'Returns what visitors of the URL get, from the same code that serves them. Nothing is counted or stored. A URL on a host that does not belong to the environment is `no_template`. So is an alias of a link, because links take precedence. `trace` lists every rule that applied to a person on `platform`, in order, with its inputs.',
    scopes: READ_LINKS,
    body: urlTestSchema,
    examples: { path: { path: '/p/42' }, url: { path: 'https://go.example.com/p/42?ref=mail', platform: 'ios' } },
    response: { status: 200, description: 'The result', schema: urlTestResultSchema },
  },
  getUrlTemplate: {
    method: 'GET',
    path: '/url-templates/{template}',
    summary: 'Read a URL template',
    description: 'Also returns archived templates.',
    scopes: READ_LINKS,
    params: urlTemplateParamsSchema,
    response: { status: 200, description: 'The template', schema: urlTemplateSchema, etag: true },
  },
  updateUrlTemplate: {
    method: 'PATCH',
    path: '/url-templates/{template}',
    summary: 'Change a URL template',
    description:
      'URLs of a disabled template show a status page, and its pattern stays taken. Archiving is final and frees the pattern. Archiving again is 200; any other change of an archived template is 409. A template of an archived type can still be changed, and can be archived to free its pattern. `warnings` covers all destinations that the template has after the change. A request that changes nothing does not change `updated_at`.',
    scopes: WRITE_LINKS,
    params: urlTemplateParamsSchema,
    body: urlTemplatePatchSchema,
    examples: {
      disable: { status: 'disabled' },
      destination: { redirects: { web: 'https://shop.example.com/{id}', ios: null } },
    },
    response: {
      status: 200,
      description: 'The template after the change, with its warnings',
      schema: urlTemplateWithWarningsSchema,
      etag: true,
    },
    problems: ['conflict', 'url_blocked'],
  },
} as const satisfies Record<string, UntaggedRoute>;
