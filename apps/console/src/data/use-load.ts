import { type DefaultError, hashKey, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askAnew } from './ask-anew.ts'

/**
 * `useQuery` for what a page cannot be without: why it is not there stays `error` until it is. The library forgets it
 * as often as it is asked for anew in the background, and the page that says so would give way to an empty one each
 * time.
 */
export function useLoad<Data, Shown = Data, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<Data, DefaultError, Shown, Key>,
) {
  const query = useQuery(options)
  const { data, error } = query
  const name = hashKey(options.queryKey)
  const [last, setLast] = useState<{ name: string; error: Error }>()
  if (error && last?.error !== error) setLast({ name, error })
  const lasting = data === undefined && last?.name === name ? last.error : null
  return {
    data,
    error: error ?? lasting,
    // Not the library's: pressed while an older question is under way, it would end with that one's answer.
    refetch: () => askAnew({ queryKey: options.queryKey, exact: true }),
    // Who does not read it is not drawn anew for it.
    get dataUpdatedAt() {
      return query.dataUpdatedAt
    },
  }
}
