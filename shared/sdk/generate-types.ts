import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { documentOf, fingerprint, readDocument, SDK_TYPES } from './types-document.js';

/**
 * Writes the types of both SDKs from the committed OpenAPI document: npm run openapi. Each file begins with the SHA-256 of
 * the document that it was made from, so that a test can detect a stale file.
 */

/** A field with a default may be left out of a request. An object without known members may have any. */
const OPTIONS = { alphabetize: true, emptyObjectsUnknown: true, defaultNonNullable: false };

const document = readDocument();
for (const types of SDK_TYPES) {
  const part = documentOf(document, types);
  // The generated text contains only type declarations.
  const text = astToString(await openapiTS(part as unknown as Parameters<typeof openapiTS>[0], OPTIONS));
  const target = fileURLToPath(new URL(`../../../shared/sdk/${types.file}`, import.meta.url));
  writeFileSync(target, `/** Written by: npm run openapi. Made of ${fingerprint(part)}. */\n${text}`);
}
