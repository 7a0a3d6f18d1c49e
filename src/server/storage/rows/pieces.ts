/** Rows or ids per statement. SQLite takes 32,766 parameters in a statement, PostgreSQL 65,535. */
const together = 1000;

/** Divides rows or ids into pieces that one statement can take. Rows may have up to 32 columns. */
export function statementPieces<Item>(items: readonly Item[]): Item[][] {
  const pieces: Item[][] = [];
  for (let from = 0; from < items.length; from += together) pieces.push(items.slice(from, from + together));
  return pieces;
}

/**
 * Reads the rows of any number of ids, with as many statements as they need, one after the other.
 * @param read reads the rows of some of the ids
 * @returns the rows of all ids, in the order of the pieces
 */
export async function readInPieces<Row>(
  ids: readonly string[],
  read: (some: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const piece of statementPieces(ids)) {
    // Spreading a large array as arguments may overflow the stack.
    for (const row of await read(piece)) rows.push(row);
  }
  return rows;
}
