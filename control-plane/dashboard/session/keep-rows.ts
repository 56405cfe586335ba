interface Pages<Row> {
  readonly pages: { readonly data: Row[]; readonly next_cursor: string | null }[];
  readonly pageParams: (string | null)[];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Chooses the rows to keep when a list is read again. A row that did not change stays the same object, whatever its new position, so that
 * it is not drawn again. Rows are matched by id, because a new row at the top shifts the position of all others.
 */
export function keepRows<Row>(before: Pages<Row> | undefined, after: Pages<Row>): Pages<Row> {
  if (before === undefined) return after;
  let rows: ReadonlyMap<unknown, Row> | null = null;
  const kept = after.pages.map((page, index) => {
    const old = before.pages[index];
    // When a further page is read, the earlier pages are the same objects and are not compared. A long list that grows costs nothing here.
    if (old === undefined || page === old) return page;
    rows ??= new Map(before.pages.flatMap(({ data }) => data.map((row) => [idOf(row), row])));
    const known = rows;
    const data = page.data.map((row) => {
      const same = known.get(idOf(row));
      return same !== undefined && isSame(same, row) ? same : row;
    });
    const isKept = old.next_cursor === page.next_cursor && old.data.length === data.length && data.every((row, at) => row === old.data[at]);
    return isKept ? old : { ...page, data };
  });
  const isKept = kept.length === before.pages.length && kept.every((page, index) => page === before.pages[index]);
  return isKept && isSame(before.pageParams, after.pageParams) ? before : { ...after, pages: kept };
}

function idOf(row: unknown): unknown {
  return (row as { readonly id?: unknown }).id;
}
