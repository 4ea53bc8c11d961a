import { locales } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { breakLines } from './printable-text.ts'

test.each(locales)('a line breaks between no sign and the figure that it opens: %s', (locale) => {
  const text = '31,864 GB − 1,000 GB = 30,864 GB × $0.04 = ($14.40 − ¥9.00) “Reef”'
  for (let width = 10; width < 60; width += 1) {
    const lines = breakLines(text, locale, (line) => line.length <= width)
    expect(lines.join(' ')).toBe(text)
    for (const line of lines) expect(line).not.toMatch(/[$¥(“]$/)
  }
})
