import type { DriveSearch } from '@atoll/contract/personal-server'
import { useEffect, useState } from 'react'
import { searchFolder } from '../../api/server.ts'

/** From the last key to the question, ms: typing on asks once. */
const typingMs = 250

export type SearchAnswer = { found: DriveSearch } | { error: unknown }

/**
 * The page from `offset` on of the matches of `query` below `path`; a change of `again` asks once more. Matches stay
 * until the next answer; undefined before the first one, and without a query.
 */
export function useSearch(path: string, query: string, offset: number, again: number) {
  const wanted = query.trim()
  const [answer, setAnswer] = useState<{ asked: string } & SearchAnswer>()
  const asked = `${offset} ${wanted}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` asks once more for the same
  useEffect(() => {
    if (wanted === '') return setAnswer(undefined)
    const stop = new AbortController()
    const timer = setTimeout(() => {
      searchFolder(path, wanted, offset, stop.signal).then(
        (found) => setAnswer({ asked, found }),
        (error: unknown) => !stop.signal.aborted && setAnswer({ asked, error }),
      )
    }, typingMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [path, asked, again])
  return {
    isOn: wanted !== '',
    answer: wanted === '' ? undefined : answer,
    isBusy: wanted !== '' && asked !== answer?.asked,
  }
}
