import { useNavigate, useSearch } from '@tanstack/react-router'
import { type CreateSearch, createSearch } from './create-search.ts'

/** New choices; undefined takes one back. */
export type CreateChange = { [K in keyof CreateSearch]?: CreateSearch[K] | undefined }

export interface CreateSearchState {
  search: CreateSearch
  /** Changes choices of the step one is in: no new entry in the history. */
  choose: (choice: CreateChange) => void
}

/** The choices in the address of `/create` or `/createMobile`. */
export function useCreateSearch(): CreateSearchState {
  const search = createSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return {
    search,
    choose: (choice) =>
      void navigate({
        to: '.',
        search: (before) => createSearch({ ...before, ...choice }),
        replace: true,
        resetScroll: false,
      }),
  }
}
