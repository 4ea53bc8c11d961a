/** The texts of documents: the invoice's file, and the pages that the server or the edge writes itself. */
import type { Locale } from '@atoll/contract/wire'
import english from '../en-US/documents/all.ts'
import chinese from '../zh-CN/documents/all.ts'
import type { Forms } from './fill-text.ts'

export const documentTexts: Record<Locale, Forms<typeof english>> = { 'en-US': english, 'zh-CN': chinese }
