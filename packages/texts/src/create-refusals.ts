/**
 * Why an account can create nothing. Apart from the other refusals: home says it before it is asked for, and loads no
 * other sentence for that.
 */
import type { Locale } from '@atoll/contract/wire'
import tables from './tables/create-refusals.gen.ts'

export const createRefusals: Record<Locale, (typeof tables)['en-US']> = tables
