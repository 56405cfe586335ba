import type { Camel } from './casing.js';
import type { components, operations } from './server-types.js';

/** What the operations of the OpenAPI document take and answer, in camel case. */

export type Operation = keyof operations;

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;

export type BodyOf<Id extends Operation> = operations[Id] extends { requestBody: infer Body } ? Camel<Json<Body>> : never;

export type QueryOf<Id extends Operation> = operations[Id] extends { parameters: { query?: infer Query } }
  ? { [Name in keyof Camel<NonNullable<Query>>]?: Camel<NonNullable<Query>>[Name] | undefined }
  : never;

type Success = 200 | 201 | 202;

export type AnswerOf<Id extends Operation> = operations[Id]['responses'] extends infer Responses
  ? Camel<Json<Responses[keyof Responses & Success]>>
  : never;

type Schema<Name extends keyof components['schemas']> = Camel<components['schemas'][Name]>;

export type Link = Schema<'Link'>;
export type LinkCreate = Schema<'LinkCreate'>;
export type LinkPatch = Schema<'LinkPatch'>;
export type Campaign = Schema<'Campaign'>;
export type View = Schema<'View'>;
export type ViewShare = Schema<'ViewShare'>;
export type SharedView = Schema<'SharedView'>;
export type Tag = Schema<'Tag'>;
export type Domain = Schema<'Domain'>;
export type DomainConnection = AnswerOf<'getDomainConnection'>;
export type CasePairs = AnswerOf<'getDomainCasePairs'>;
export type Environment = Schema<'Environment'>;
export type Key = Schema<'Key'>;
export type ListedKey = Schema<'ListedKey'>;
export type ResourceType = Schema<'ResourceType'>;
export type UrlTemplate = Schema<'UrlTemplate'>;
export type UrlTemplateWithWarnings = Schema<'UrlTemplateWithWarnings'>;
export type TrackedEvent = Schema<'TrackedEvent'>;
export type Webhook = Schema<'Webhook'>;
export type WebhookWithSecret = Schema<'WebhookWithSecret'>;
export type Delivery = Schema<'Delivery'>;
export type MetadataApi = AnswerOf<'getMetadataApi'>;
export type MetadataApiTest = AnswerOf<'testMetadataApi'>;
/** An event as the log of events shows it. */
export type Event = AnswerOf<'listEvents'>['data'][number];
export type CampaignStats = AnswerOf<'getCampaignStats'>;
/** A click, as the stream of clicks and `click.created` show it. */
export type Click = Schema<'Click'>;
export type Clicks = AnswerOf<'getClicks'>;
export type Conversions = AnswerOf<'getConversions'>;
export type Install = Schema<'Install'>;
export type EnvironmentStats = AnswerOf<'getStats'>;
export type Health = AnswerOf<'getHealth'>;
export type LinkStats = AnswerOf<'getLinkStats'>;
export type ResourceStats = AnswerOf<'getResourceStats'>;
export type Preview = AnswerOf<'previewResource'>;
