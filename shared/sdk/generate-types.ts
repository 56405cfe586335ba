import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { documentOf, fingerprint, readDocument, SDK_TYPES } from './types-document.js';

/**
 * Writes the types of both SDKs from the committed OpenAPI document: npm run openapi. Each file begins with the SHA-256 of
 * what it was made of, by which a test sees that it is not stale.
 */

/** A field with a default may be left out of a request; an object of no known members has any. */
const OPTIONS = { alphabetize: true, emptyObjectsUnknown: true, defaultNonNullable: false };

const document = readDocument();
for (const types of SDK_TYPES) {
  const part = documentOf(document, types);
  // What is generated holds type declarations alone.
  const text = astToString(await openapiTS(part as unknown as Parameters<typeof openapiTS>[0], OPTIONS));
  const target = fileURLToPath(new URL(`../../../shared/sdk/${types.file}`, import.meta.url));
  writeFileSync(target, `/** Written by: npm run openapi. Made of ${fingerprint(part)}. */\n${text}`);
}
