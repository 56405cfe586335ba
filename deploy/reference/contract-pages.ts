import type { TSchema } from 'typebox';
import { EVENT_DATA_SCHEMAS, EVENT_DESCRIPTIONS, EVENT_TYPES } from '../../shared/contract/schemas/events.js';
import { FIELD_CODES, PROBLEM_CODES, PROBLEMS } from '../../shared/contract/schemas/problem-codes.js';
import { cell, code, table } from './markdown.js';

interface ObjectSchema {
  readonly properties: Readonly<Record<string, TSchema & { readonly description?: string }>>;
}

export function eventsPage(): string {
  const sections = EVENT_TYPES.map((type) => {
    const { properties } = EVENT_DATA_SCHEMAS[type] as unknown as ObjectSchema;
    const fields = Object.entries(properties).map(([name, { description }]) => [code(name), cell(description ?? '')]);
    return `### ${type}\n\n${cell(EVENT_DESCRIPTIONS[type])}\n\n${table(['Field of data', 'What it is'], fields)}`;
  });
  return `# Events

What webhook endpoints may subscribe to. How they are sent and signed is in [Webhooks](webhooks.md).

## All types

${table(
  ['Type', 'When'],
  EVENT_TYPES.map((type) => [code(type), cell(EVENT_DESCRIPTIONS[type])]),
)}

## Body

Every body has \`id\` (the same for every attempt and replay: deduplicate on it), \`type\`, \`created_at\`, \`environment\` and \`data\`;
samples have \`test: true\` besides. Receivers ignore fields that they do not know: more may come.

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

\`errors\` of a 422 names each wrong field by \`in\` and \`pointer\` (RFC 6901), with one of these codes.

${table(
  ['Code', 'What it means'],
  Object.entries(FIELD_CODES).map(([name, text]) => [code(name), cell(text)]),
)}

## Trying again

429 and 503 say in \`Retry-After\` after how many seconds. Of a POST with an \`Idempotency-Key\` a repeated one does its work once.
`;
}
