import { locales } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { formulaTexts } from '../views/lines/formula-texts.ts'
import { loadFileFonts } from './file-fonts.ts'
import { breakLines, printableText, textRuns } from './printable-text.ts'

test.each(locales)('a line breaks between no sign and the figure that it opens: %s', (locale) => {
  const text = '31,864 GB − 1,000 GB = 30,864 GB × $0.04 = ($14.40 − ¥9.00) “Reef”'
  for (let width = 10; width < 60; width += 1) {
    const lines = breakLines(text, locale, (line) => line.length <= width)
    expect(lines.join(' ')).toBe(text)
    for (const line of lines) expect(line).not.toMatch(/[$¥(“]$/)
  }
})

test.each(locales)(
  'a line does not break within the unit of what is stored, nor prints its joiner: %s',
  async (locale) => {
    const unit = formulaTexts[locale].gbMonths
    const text = printableText(`1,150 ${unit} − 50 ${unit} = 1,100 ${unit}`)
    for (let width = unit.length; width < text.length; width += 1)
      for (const line of breakLines(text, locale, (tried) => tried.length <= width))
        expect(line).not.toMatch(/GB[-·]\u2060?$/)
    const { regular } = await loadFileFonts()
    expect(
      textRuns(unit, regular)
        .map((run) => run.text)
        .join(''),
    ).toBe(unit.replace('\u2060', ''))
  },
)
