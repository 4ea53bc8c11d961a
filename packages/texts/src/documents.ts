/** The texts of documents: the invoice's file, and the pages that the server or the edge writes itself. */
import type { Locale } from '@atoll/contract/wire'
import type { Forms } from './fill-text.ts'
import tables from './tables/documents.gen.ts'

export const documentTexts: Record<Locale, Forms<(typeof tables)['en-US']>> = tables
