import type { DriveSearch } from '@atoll/contract/personal-server'
import { useEffect, useState } from 'react'
import { searchFolder } from '../../api/server.ts'

/** From the last key to the question, ms: whoever types on asks once. */
const typingMs = 250

export type SearchAnswer = { found: DriveSearch } | { error: unknown }

/**
 * What matches `query` below `path`; `again` is changed to ask once more. What was found stays until the next answer;
 * undefined before the first one, and without a query.
 */
export function useSearch(path: string, query: string, again: number) {
  const wanted = query.trim()
  const [answer, setAnswer] = useState<{ query: string } & SearchAnswer>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` asks once more for the same
  useEffect(() => {
    if (wanted === '') return setAnswer(undefined)
    const stop = new AbortController()
    const timer = setTimeout(() => {
      searchFolder(path, wanted, stop.signal).then(
        (found) => setAnswer({ query: wanted, found }),
        (error: unknown) => !stop.signal.aborted && setAnswer({ query: wanted, error }),
      )
    }, typingMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [path, wanted, again])
  return { isOn: wanted !== '', answer: wanted === '' ? undefined : answer, isBusy: wanted !== (answer?.query ?? '') }
}
