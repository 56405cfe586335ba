/** Object ids of PostgreSQL's types (src/include/catalog/pg_type.dat), which its binary form of an array names. */
const INTEGER_OID = 23;
const TEXT_OID = 25;
const UUID_OID = 2950;
const ARRAY_HEADER_BYTES = 20;

/** Encodes numbers as an array in PostgreSQL's binary format. Writing and parsing the text format would cost a microsecond per value. */
export function binaryIntegers(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(ARRAY_HEADER_BYTES + values.length * 8);
  let at = writeHeader(bytes, INTEGER_OID, values.length);
  for (const value of values) {
    bytes.writeInt32BE(4, at);
    bytes.writeInt32BE(value, at + 4);
    at += 8;
  }
  return bytes;
}

/** The same for texts. A text holds UTF-8, with one character per byte if it is a string. */
export function binaryTexts(values: readonly (string | Buffer)[]): Buffer {
  return bytesArray(values, TEXT_OID);
}

/** The same for values of `uuid`, each a string of 16 characters, one per byte. */
export function binaryUuids(values: readonly string[]): Buffer {
  return bytesArray(values, UUID_OID);
}

function bytesArray(values: readonly (string | Buffer)[], oid: number): Buffer {
  let length = ARRAY_HEADER_BYTES;
  for (const text of values) length += 4 + text.length;
  const bytes = Buffer.allocUnsafe(length);
  let at = writeHeader(bytes, oid, values.length);
  for (const text of values) {
    bytes.writeInt32BE(text.length, at);
    if (typeof text === 'string') bytes.write(text, at + 4, 'latin1');
    else bytes.set(text, at + 4);
    at += 4 + text.length;
  }
  return bytes;
}

/** Writes the header of an array: one dimension, no nulls, the element type, the number of elements, and 1 as the first index. */
function writeHeader(bytes: Buffer, oid: number, length: number): number {
  for (const [index, value] of [1, 0, oid, length, 1].entries()) bytes.writeInt32BE(value, index * 4);
  return ARRAY_HEADER_BYTES;
}
