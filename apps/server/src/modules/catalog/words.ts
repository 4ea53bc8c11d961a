import type { Locale } from '@atoll/contract/wire'
import { z } from 'zod'

export const Text = z.string().min(1).max(200)
/** Text for people: one text for both languages, or one for each. */
export const Words = z.preprocess(
  (value) =>
    typeof value === 'string' ? ({ 'en-US': value, 'zh-CN': value } satisfies Record<Locale, string>) : value,
  z.strictObject({ 'en-US': Text, 'zh-CN': Text }),
)
