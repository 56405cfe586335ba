import {
  metadataApiParamsSchema,
  metadataApiPutSchema,
  metadataApiSchema,
  metadataApiTestResultSchema,
  metadataApiTestSchema,
} from '../schemas/metadata-api.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS, WRITE_LINKS } from './scopes.js';

export const METADATA_API_ROUTES = {
  getMetadataApi: {
    method: 'GET',
    path: '/resource-types/{type}/metadata-api',
    summary: 'Read the metadata API of a resource type',
    description: '404 if none is configured. The credential is never returned.',
    scopes: READ_LINKS,
    params: metadataApiParamsSchema,
    response: { status: 200, description: 'The configuration', schema: metadataApiSchema, etag: true },
  },
  putMetadataApi: {
    method: 'PUT',
    path: '/resource-types/{type}/metadata-api',
    summary: 'Create or replace the metadata API of a resource type',
    description:
      'A field that is absent gets its default, except `auth`: without `auth`, or without `auth.secret`, the stored credential is kept. Every PUT clears the cache, even if it changes nothing. For an archived type the response is 409.',
    scopes: WRITE_LINKS,
    params: metadataApiParamsSchema,
    body: metadataApiPutSchema,
    examples: {
      smallest: { url_template: 'https://api.example.com/products/{id}', field_mapping: { title: 'name' } },
      with_credential: {
        url_template: 'https://api.example.com/v1/{type}/{id}?fields=card',
        auth: { type: 'api_key_header', header_name: 'X-Api-Key', secret: 'an-api-key-of-yours' },
        headers: { 'Accept-Language': 'en' },
        timeout_ms: 1000,
        field_mapping: { title: 'product.name', image_url: '/product/images/0/url', resource_status: 'product.state' },
        field_defaults: { description: 'In our shop' },
        required_fields: ['title'],
        status_values: { published: ['live'], unpublished: ['draft', 'hidden'], deleted: ['gone'] },
        allowed_image_hosts: ['images.example.com'],
      },
    },
    response: { status: 200, description: 'The configuration', schema: metadataApiSchema, etag: true },
    problems: ['conflict'],
  },
  testMetadataApi: {
    method: 'POST',
    path: '/resource-types/{type}/metadata-api/test',
    summary: 'Call the metadata API for one item',
    description:
      'Calls the API with the saved configuration and returns the result. Nothing is cached or counted. Of the limits in the configuration only the timeout applies. 404 if no metadata API is configured.',
    scopes: WRITE_LINKS,
    params: metadataApiParamsSchema,
    body: metadataApiTestSchema,
    examples: { an_item: { id: '42' } },
    response: { status: 200, description: 'The result of the call', schema: metadataApiTestResultSchema },
  },
} as const satisfies Record<string, UntaggedRoute>;
