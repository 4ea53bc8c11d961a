import { useNavigate, useSearch } from '@tanstack/react-router'
import type { CreateSearch } from './create-search.ts'

export interface CreateSearchState {
  search: CreateSearch
  /** Changes choices of the step one is in: no new entry in the history. */
  choose: (choice: CreateSearch) => void
}

/** The choices in the address of `/create`. */
export function useCreateSearch(): CreateSearchState {
  const search = useSearch({ from: '/_main/create/{-$uid}' })
  const navigate = useNavigate({ from: '/create/{-$uid}' })
  return {
    search,
    choose: (choice) =>
      void navigate({ search: (before) => ({ ...before, ...choice }), replace: true, resetScroll: false }),
  }
}
