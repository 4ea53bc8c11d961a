import { locales } from '@atoll/contract/wire'
import { reasonText } from '@atoll/texts/reasons'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chooseLocale, loadTextsOf, startLanguage } from '../../locales/language.ts'
import { text } from '../../locales/text.ts'
import { troubleWords } from './trouble-words.ts'

test.each(locales)('a missing instance is said to be missing once, and beside another error: %s', async (locale) => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('navigator', { languages: [locale] })
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  await startLanguage()
  await chooseLocale(locale)
  await loadTextsOf('/instances')
  const [lead, help] = [text('cluster.instanceMissing'), text('instances.missingHelp')]
  const error = (key: 'gone' | 'installFailedSilently') => reasonText({ key }, locale)

  expect(troubleWords({ missing: true, error: null }, text)).toEqual({ lead, rest: help })
  expect(troubleWords({ missing: true, error: error('gone') }, text)).toEqual({ rest: error('gone') })
  const failed = error('installFailedSilently')
  expect(troubleWords({ missing: true, error: failed }, text)).toEqual({ lead, rest: failed })
  expect(troubleWords({ missing: false, error: failed }, text)).toEqual({ rest: failed })
})
