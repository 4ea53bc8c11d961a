import { useText } from '../i18n/text.ts'
import type { WordsVerdict } from '../keys/words-verdict.ts'

/** The sentence below the field of the 12 words. */
export function useWordsVerdictText(): (verdict: WordsVerdict) => string {
  const t = useText()
  return (verdict) => {
    if (verdict.kind === 'ready') return t('import.ready')
    if (verdict.kind === 'unfinished') return t('import.count', { count: verdict.count })
    if (verdict.fault === 'tooMany') return t('import.tooMany', { count: verdict.count })
    if (verdict.fault === 'checksum') return t('import.checksum')
    const { word, position, suggestions } = verdict
    if (suggestions.length === 0) return t('import.unknown', { word, position })
    return t('import.unknownSuggest', { word, position, words: suggestions.join(', ') })
  }
}
