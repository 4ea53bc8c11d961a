import { PageNumber } from '@atoll/contract/wire'

/** Reads one field of a search: a schema of the contract, or `oneOf`. */
export interface SearchField<Value> {
  safeParse(value: unknown): { data?: Value | undefined }
}

/** A list's filters and page, as they are in the address. */
export type ListSearch<Fields> = {
  [Key in keyof Fields]?: Fields[Key] extends SearchField<infer Value> ? Exclude<Value, undefined> : never
} & { page?: number }

/** Reads a list's part of a page's search; `keys` are the fields that are the list's own. */
export interface ListSearchReader<Search> {
  (search: Record<string, unknown>): Search
  keys: readonly string[]
}

/**
 * The search of a page with a list: `fields` and the page, for `validateSearch` of its route. A value that a field does
 * not accept is dropped, so that no address leads to a question the server refuses.
 */
export function defineListSearch<const Fields extends Record<string, SearchField<unknown>>>(
  fields: Fields,
): ListSearchReader<ListSearch<Fields>> {
  const all = Object.entries<SearchField<unknown>>({ ...fields, page: PageNumber })
  const read = (search: Record<string, unknown>) => {
    const values = all.map(([key, field]) => [key, field.safeParse(search[key]).data] as const)
    const kept = values.filter(([key, value]) => value !== undefined && !(key === 'page' && value === 1))
    return Object.fromEntries(kept) as ListSearch<Fields> // each value was accepted by the field of its key
  }
  return Object.assign(read, { keys: all.map(([key]) => key) })
}

/** A field that is one of `values`. */
export function oneOf<Value extends string | number>(values: readonly Value[]): SearchField<Value> {
  return { safeParse: (value) => ({ data: values.find((known) => String(known) === String(value)) }) }
}
