import { countRows } from '@atoll/contract/wire'
import { formatFigure } from '@atoll/ui/i18n'
import { Loader } from '@mantine/core'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useLocale, useText } from '../../i18n/text.ts'
import classes from './Search.module.css'
import type { SearchAnswer } from './use-search.ts'

interface SearchStateProps {
  answer: SearchAnswer | undefined
  isBusy: boolean
}

/** How the search stands, in a line: under way, failed, how much was found, and whether there may be more. */
export function SearchState({ answer, isBusy }: SearchStateProps) {
  const t = useText()
  const locale = useLocale()
  const problemText = useProblemText()
  const say = () => {
    if (isBusy || !answer) return t('search.busy')
    if ('error' in answer) return problemText(answer.error)
    const { entries, offset, more, truncated } = answer.found
    const count = offset + (countRows(entries) ?? 0)
    if (more)
      return t('search.range', { from: formatFigure(offset + 1, 0, locale), to: formatFigure(count, 0, locale) })
    if (truncated) return t('search.truncated', { count })
    return count === 0 ? t('search.none') : t('search.found', { count })
  }
  return (
    <p className={classes.state} role="status">
      {isBusy && <Loader size={14} color="var(--atoll-accent-line)" aria-hidden="true" />}
      {say()}
    </p>
  )
}
