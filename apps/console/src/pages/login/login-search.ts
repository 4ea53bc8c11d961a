import { safeRedirect } from '../../accounts/redirect.ts'

export interface LoginSearch {
  /** A path of this site to go on to after signing in. */
  redirect?: string
}

/** The search of `/login`: a redirect that is not a path of this site is dropped. */
export function loginSearch(search: Record<string, unknown>): LoginSearch {
  const redirect = safeRedirect(search.redirect, location.origin)
  return redirect ? { redirect } : {}
}
