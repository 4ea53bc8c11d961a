/** Paged lists (design/api): a call asks for one page of rows, and the answer says how many rows there are in all. */
import { z } from 'zod'
import { defaultRowsPerPage } from './constants.ts'
import { WireInt } from './fields.ts'

/** Most rows of a page. */
export const mostRowsPerPage = 100
/** Most rows of one export; a longer one needs a narrower time. */
export const mostExportedRows = 100_000
/** The same of a list of the operator's area. */
export const mostExportedByStaff = 10_000
/** Rows up to which a list of all accounts is counted; of more, an estimate is answered. */
export const mostCountedRows = 10_000

/** Pages are counted from 1. */
export const PageNumber = WireInt.pipe(z.int().min(1).max(1_000_000))

export const RowsPerPage = WireInt.pipe(z.int().min(1).max(mostRowsPerPage))

/** Which page of a list is asked for. */
export interface PageQuery {
  page: number
  rowsPerPage: number
}
/** Facts about the page that is answered; `rowsNumber` counts the rows of all pages. */
export interface PageFigures extends PageQuery {
  rowsNumber: number
  /** The number is an estimate. */
  isAbout?: true | undefined
}

/** Body of a paged call: what narrows the list, and which page of it. */
export function pageQuery<Filters extends z.core.$ZodShape>(filters: Filters) {
  return z.strictObject({
    ...filters,
    page: PageNumber.default(1),
    rowsPerPage: RowsPerPage.default(defaultRowsPerPage),
  })
}

/**
 * Answer of a paged call: its rows under the name that the call gives them, and what else it says of the whole list;
 * `pageOf({ records: z.array(AuditRecord) })`.
 */
export function pageOf<Lists extends z.core.$ZodShape>(lists: Lists) {
  return z.object({
    ...lists,
    page: z.int(),
    rowsPerPage: z.int(),
    rowsNumber: z.int(),
    isAbout: z.literal(true).optional(),
  })
}
