import { passwordOfFragment } from '@atoll/contract/wizard-link'

let carried = ''

/**
 * Takes the one-time password out of the address, so that neither history nor a copied address keeps it. Called before
 * the router, which drops the fragment when it leads elsewhere.
 */
export function takeOneTimePassword(): void {
  const password = passwordOfFragment(location.hash)
  if (password === undefined) return
  carried = password
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** The password from the console's link; empty without one. */
export function carriedPassword(): string {
  return carried
}
