import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type pg from 'pg';
import { EVENT_TYPES, type EventType, eventBodySchema } from '../../shared/contract/schemas/events.js';

const ajv = new Ajv2020({ strict: true, allErrors: true, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ } });
const validators = new Map<string, ValidateFunction>();

function validatorOf(type: EventType): ValidateFunction {
  const validate = validators.get(type) ?? ajv.compile(eventBodySchema(type));
  validators.set(type, validate);
  return validate;
}

/** Returns how a body differs from the published schema of its type; null if it does not. */
export function bodyFault(type: string, body: string): string | null {
  if (!(EVENT_TYPES as readonly string[]).includes(type)) return `${type} is not an event type`;
  const validate = validatorOf(type as EventType);
  return validate(JSON.parse(body)) ? null : `${type}: ${ajv.errorsText(validate.errors)}: ${body}`;
}

/** Rejects if an event in the database is not as the document describes its type. */
export async function checkStoredEvents(database: Pick<pg.Pool, 'query'>): Promise<void> {
  const { rows } = await database.query<{ type: string; body: string }>('SELECT type, body FROM events');
  const faults = rows.map(({ type, body }) => bodyFault(type, body)).filter((fault) => fault !== null);
  if (faults.length > 0) throw new Error(`${faults.length} events are not as documented, the first: ${faults[0]}`);
}
