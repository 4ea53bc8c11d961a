export interface HomeSearch {
  /** Only the clusters of this userid; absent: of all users. */
  user?: string
}

/** The search of `/`. */
export function homeSearch(search: Record<string, unknown>): HomeSearch {
  return typeof search.user === 'string' && search.user !== '' && search.user.length <= 256 ? { user: search.user } : {}
}
