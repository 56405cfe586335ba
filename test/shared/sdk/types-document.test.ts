import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { documentOf, fingerprint, readDocument, SDK_TYPES } from '../../../shared/sdk/types-document.js';

t.test('the committed types match the committed document; repair them with: npm run openapi', async (t) => {
  for (const types of SDK_TYPES) {
    const file = readFileSync(fileURLToPath(new URL(`../../../../shared/sdk/${types.file}`, import.meta.url)), 'utf8');
    t.equal(
      /^\/\*\* Written by: npm run openapi\. Made of (\w+)\. \*\/\n/.exec(file)?.[1],
      fingerprint(documentOf(readDocument(), types)),
      types.file,
    );
  }
});
