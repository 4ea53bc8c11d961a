import { invoicesPage } from '@atoll/contract/billing'
import { countRows } from '@atoll/contract/wire'
import { useCall } from '../../../data/use-call.ts'

/** How many the overview shows; the others are on their own page. */
const shownRows = 5

/** The newest invoices, and whether the account has none: then it has bought nothing yet. */
export function useNewestInvoices() {
  const query = useCall(invoicesPage, { page: 1, rowsPerPage: shownRows })
  return { query, hasNone: query.data !== undefined && countRows(query.data.invoices) === 0 }
}
