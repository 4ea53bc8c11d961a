import { meteredProducts } from '@atoll/contract/billing'
import { defineListSearch, oneOf, type SearchField } from '../kit/table/list-search.ts'

/** As the server writes times: `2026-11-04T09:12:00.000Z`. */
const time: SearchField<string> = {
  safeParse: (value) => ({
    data: typeof value === 'string' && new Date(value).toJSON() === value ? value : undefined,
  }),
}

/** The search of `/usage`: what is shown, the end of the period it is of, and the page of past periods. */
export const usageSearch = defineListSearch({ product: oneOf(meteredProducts), end: time })
