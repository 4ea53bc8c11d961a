import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ListSearchReader } from './list-search.ts'

export interface ListState<Search> {
  search: Search
  /** Something narrows the list. */
  isFiltered: boolean
  /** Narrows by one field, or by it no longer, and begins again at the first page. */
  set<Key extends keyof Search>(key: Key, value: Search[Key] | undefined): void
  /** Narrows by nothing but `search`. */
  replace(search: Search): void
  toPage(page: number): void
}

/** A list's choices as they stand in the address; what else stands there stays. */
export function useListSearch<Search extends { page?: number }>(read: ListSearchReader<Search>): ListState<Search> {
  const navigate = useNavigate()
  const search = read(useSearch({ strict: false }))
  const { page: _, ...filters } = search
  const go = (next: object) =>
    void navigate({
      to: '.',
      replace: true,
      search: (before: object) => ({
        ...Object.fromEntries(Object.entries(before).filter(([key]) => !read.keys.includes(key))),
        ...next,
      }),
    })
  return {
    search,
    isFiltered: Object.keys(filters).length > 0,
    set(key, value) {
      const others = Object.fromEntries(Object.entries(filters).filter(([name]) => name !== key))
      go(value === undefined ? others : { ...others, [key]: value })
    },
    replace: go,
    toPage: (page) => go(page > 1 ? { ...filters, page } : filters),
  }
}
