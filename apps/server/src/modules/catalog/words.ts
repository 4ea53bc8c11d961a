import { inEachLocale } from '@atoll/texts/fill-text'
import { z } from 'zod'

export const Text = z.string().min(1).max(200)
/** Text for people: one text for all languages, or one for each. */
export const Words = z.preprocess(
  (value) => (typeof value === 'string' ? inEachLocale(() => value) : value),
  z.strictObject(inEachLocale(() => Text)),
)
