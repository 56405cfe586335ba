import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageVersion } from '../base/package-version.js';
import { openApiDocument } from './openapi.js';
import { ROUTES } from './routes.js';

/** Writes the committed document: npm run openapi. A test compares it with the one that the rows give. */
const target = fileURLToPath(new URL('../../../shared/contract/openapi.json', import.meta.url));
const version = packageVersion(new URL('../../../package.json', import.meta.url));

writeFileSync(target, `${JSON.stringify(openApiDocument(ROUTES, { serviceName: 'Service', version }), null, 2)}\n`);
