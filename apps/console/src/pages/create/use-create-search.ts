import { useNavigate, useSearch } from '@tanstack/react-router'
import type { CreateSearch } from './create-search.ts'

export interface CreateSearchState {
  search: CreateSearch
  /** Changes choices of the step one is in: no new entry in the history. */
  choose: (choice: CreateSearch) => void
}

/** The choices in the address of `/create`. */
export function useCreateSearch(): CreateSearchState {
  // `/create` and `/createMobile` read the same search.
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    search,
    choose: (choice) =>
      void navigate({ to: '.', search: (before) => ({ ...before, ...choice }), replace: true, resetScroll: false }),
  }
}
