import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../data/query-client.ts'
import { useLocale } from '../locales/text.ts'
import { loadHelp } from './help-pages.ts'

/** All pages of the help; of a browser that asked once, also where nobody is signed in. */
export function useHelp({ enabled = true }: { enabled?: boolean } = {}) {
  const locale = useLocale()
  return useQuery(
    { queryKey: ['help', locale], queryFn: () => loadHelp(locale), staleTime: Number.POSITIVE_INFINITY, enabled },
    queryClient,
  )
}
