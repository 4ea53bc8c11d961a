/**
 * All rows, at most `most`, some at a time: `read` gives up to `limit` rows that come after `last` in the list's order,
 * so that what is written meanwhile neither repeats nor leaves out a row.
 */
export async function* readBatches<Row>(
  read: (limit: number, last: Row | undefined) => Promise<Row[]>,
  { batch, most }: { batch: number; most: number },
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  for (let left = most; left > 0; ) {
    const limit = Math.min(batch, left)
    const rows = await read(limit, last)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    last = rows.at(-1)
    left -= rows.length
  }
}
