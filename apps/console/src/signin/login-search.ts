import { safeRedirect } from '../session/redirect.ts'

export interface LoginSearch {
  /** A path of this site to go on to after signing in. */
  redirect?: string | undefined
}

/**
 * The search of the sign-in page and of `/accountList`: a redirect that is not a path of this site is dropped. By
 * name: the router lays what is returned over what stood in the address, so what is only left out would stay.
 */
export function loginSearch(search: Record<string, unknown>): LoginSearch {
  return { redirect: safeRedirect(search.redirect, location.origin) }
}
