import type { ColumnField } from '../../control-plane/click-figures/columns/column.js';
import { PartBuilder } from '../../control-plane/click-figures/columns/part-builder.js';

/** What a row of a click begins with, before the texts of its fields. */
export interface ColumnClick {
  readonly visitor: bigint;
  readonly bot: boolean;
  readonly at: number;
}

type TextsOf<Field extends ColumnField> = Readonly<Record<Field, string | null>>;

/** Returns the row of a binary COPY, as `PartBuilder.add` takes it. */
function rowOf<Field extends ColumnField>(fields: readonly Field[], click: ColumnClick & TextsOf<Field>): Buffer {
  const head = Buffer.alloc(31);
  head.writeInt16BE(3 + fields.length, 0);
  head.writeInt32BE(8, 2);
  head.writeBigInt64BE(click.visitor, 6);
  head.writeInt32BE(1, 14);
  head.writeUInt8(Number(click.bot), 18);
  head.writeInt32BE(8, 19);
  head.writeBigInt64BE(BigInt(click.at - Date.parse('2000-01-01T00:00:00Z')) * 1000n, 23);
  const texts = fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    const text: string | null = click[field];
    length.writeInt32BE(text === null ? -1 : Buffer.byteLength(text));
    return text === null ? [length] : [length, Buffer.from(text)];
  });
  return Buffer.concat([head, ...texts]);
}

export function buildPart<Field extends ColumnField>(
  fields: readonly Field[],
  clicks: readonly (ColumnClick & TextsOf<Field>)[],
): PartBuilder {
  const builder = new PartBuilder(fields);
  // Rows may begin anywhere in a chunk.
  for (const click of clicks) builder.add(Buffer.concat([Buffer.alloc(5, 0xff), rowOf(fields, click)]), 5);
  return builder;
}
