import { SCHEMA_FILE, updateSchemaFile } from './schema-file.js';
import { startTestServer } from './test-server.js';

/** `npm run schema:dump` writes control-plane/migrations/schema.sql again; with `--check` it only compares. */
const check = process.argv.includes('--check');
const server = await startTestServer();
try {
  process.env.TEST_DATABASE_SERVER = server.url;
  const same = await updateSchemaFile(check);
  console.log(
    same
      ? `${SCHEMA_FILE} is as the migrations make it`
      : check
        ? `${SCHEMA_FILE} is old; repair it with: npm run schema:dump`
        : `wrote ${SCHEMA_FILE}`,
  );
  if (check && !same) process.exitCode = 1;
} finally {
  await server.stop();
}
