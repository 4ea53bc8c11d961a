/** The lines of a file of CDN traffic: `cluster_id,product_type,from,to,bytes`. */
export const cdnHeader = 'cluster_id,product_type,from,to,bytes'

export interface CdnLine {
  clusterId: string
  from: Date
  to: Date
  /** Decimal text. */
  bytes: string
}

const columns = cdnHeader.split(',')
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/
/** Before that there was nothing to count. */
const earliest = Date.UTC(2020, 0, 1)

/** Parses a line, or names the column that is wrong and the problem. `now` is when it is read. */
export function readCdnLine(text: string, now: Date): CdnLine | { column: string; problem: string } {
  const cells = text.split(',').map((cell) => cell.trim())
  if (cells.length !== columns.length) return { column: 'line', problem: `has ${cells.length} columns instead of 5` }
  const [clusterId = '', product, from = '', to = '', bytes = ''] = cells
  if (!/^cl_\w{1,40}$/.test(clusterId)) return { column: 'cluster_id', problem: `"${clusterId}" is no cluster's id` }
  if (product !== 'cdn_traffic') {
    return { column: 'product_type', problem: `"${product}" cannot be imported; only cdn_traffic can` }
  }
  const span = { from: readTime(from), to: readTime(to) }
  for (const column of ['from', 'to'] as const) {
    const at = span[column]
    const isIn = at !== undefined && at.getTime() >= earliest && at <= now
    if (!isIn) return { column, problem: 'must be a time in UTC that has passed, such as 2026-05-01T10:00:00Z' }
  }
  const { from: begin, to: end } = span
  if (!begin || !end || begin >= end) return { column: 'to', problem: 'must be later than from' }
  if (!/^\d{1,18}$/.test(bytes)) return { column: 'bytes', problem: `"${bytes}" is no number of bytes` }
  return { clusterId, from: begin, to: end, bytes }
}

function readTime(text: string): Date | undefined {
  const at = time.test(text) ? new Date(text) : undefined
  // 30 February is another day to a Date, and to nobody else.
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text.slice(0, 19)) ? at : undefined
}
