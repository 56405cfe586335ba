import type { TSchema } from 'typebox';
import { EVENT_DATA_SCHEMAS, EVENT_DESCRIPTIONS, EVENT_TYPES } from '../../shared/contract/schemas/events.js';
import { FIELD_CODES, PROBLEM_CODES, PROBLEMS } from '../../shared/contract/schemas/problem-codes.js';
import { cell, code, table } from './markdown.js';

interface ObjectSchema {
  readonly properties: Readonly<Record<string, FieldSchema>>;
}

type FieldSchema = TSchema & { readonly description?: string; readonly anyOf?: readonly FieldSchema[] };

/** The description of a field. One that may be null has it on the other member of its union. */
function descriptionOf({ description, anyOf = [] }: FieldSchema): string | undefined {
  return description ?? anyOf.map(descriptionOf).find((text) => text !== undefined);
}

export function eventsPage(): string {
  const sections = EVENT_TYPES.map((type) => {
    const { properties } = EVENT_DATA_SCHEMAS[type] as unknown as ObjectSchema;
    const fields = Object.entries(properties).map(([name, schema]) => [code(name), cell(descriptionOf(schema) ?? '')]);
    return `### ${type}\n\n${cell(EVENT_DESCRIPTIONS[type])}\n\n${table(['Field of data', 'What it is'], fields)}`;
  });
  return `# Events

Webhook endpoints can subscribe to these events. [Webhooks](webhooks.md) explains how they are sent and signed.

## All types

${table(
  ['Type', 'When'],
  EVENT_TYPES.map((type) => [code(type), cell(EVENT_DESCRIPTIONS[type])]),
)}

## Body

Every body has \`id\` (the same for every attempt and replay: deduplicate on it), \`type\`, \`created_at\`, \`environment\` and \`data\`.
Samples also have \`test: true\`. Ignore fields that you do not know, because new ones may be added.

## Fields

${sections.join('\n\n')}
`;
}

export function problemsPage(): string {
  return `# Problems

An error of the API is a problem document (RFC 9457) with \`status\`, \`title\`, \`detail\`, \`code\` and \`instance\`. Programs read \`code\`.

## Codes

${table(
  ['Code', 'Status', 'What it means'],
  PROBLEM_CODES.map((name) => [code(name), String(PROBLEMS[name].status), cell(PROBLEMS[name].description)]),
)}

## Codes of fields

If an error concerns fields, \`errors\` names each of them by \`in\` and \`pointer\` (RFC 6901), with one of these codes.

${table(
  ['Code', 'What it means'],
  Object.entries(FIELD_CODES).map(([name, text]) => [code(name), cell(text)]),
)}

## Trying again

After a 429 or a 503, wait as many seconds as \`Retry-After\` says. A POST with an \`Idempotency-Key\` takes effect once, however often you
repeat it within 24 hours.
`;
}
