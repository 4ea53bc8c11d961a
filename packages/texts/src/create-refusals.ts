/**
 * Why an account can create nothing. Apart from the other refusals: home says it before it is asked for, and loads no
 * other sentence for that.
 */
import type { Locale } from '@atoll/contract/wire'
import english from '../en-US/shared/create-refusals.json' with { type: 'json' }
import chinese from '../zh-CN/shared/create-refusals.json' with { type: 'json' }

export const createRefusals: Record<Locale, typeof english> = { 'en-US': english, 'zh-CN': chinese }
