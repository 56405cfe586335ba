import { readFileSync } from 'node:fs';

/** A key and a self-signed certificate for the name `receiver.example.com`, made for tests and trusted by nobody. */
const folder = new URL('../../../test/fixtures/tls/', import.meta.url);
export const TLS_NAME = 'receiver.example.com';
export const TLS_KEY = readFileSync(new URL('key.pem', folder), 'utf8');
export const TLS_CERTIFICATE = readFileSync(new URL('certificate.pem', folder), 'utf8');
