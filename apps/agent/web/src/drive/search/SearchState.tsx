import { Loader } from '@mantine/core'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useText } from '../../i18n/text.ts'
import classes from './Search.module.css'
import type { SearchAnswer } from './use-search.ts'

interface SearchStateProps {
  answer: SearchAnswer | undefined
  isBusy: boolean
}

/** How the search stands, in a line: under way, failed, how much was found, and whether there may be more. */
export function SearchState({ answer, isBusy }: SearchStateProps) {
  const t = useText()
  const problemText = useProblemText()
  const say = () => {
    if (isBusy || !answer) return t('search.busy')
    if ('error' in answer) return problemText(answer.error)
    const count = answer.found.entries.length
    if (answer.found.truncated) return t('search.truncated', { count })
    return count === 0 ? t('search.none') : t('search.found', { count })
  }
  return (
    <p className={classes.state} role="status">
      {isBusy && <Loader size={14} color="var(--atoll-accent-line)" aria-hidden="true" />}
      {say()}
    </p>
  )
}
