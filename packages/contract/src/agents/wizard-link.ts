/**
 * The link from the console to the wizard: the one-time password stands in its fragment, which no server, proxy or log
 * receives. The wizard takes it out of the address as it opens.
 */
const key = 'password'

/** `url` with the one-time password in its fragment. */
export function wizardLink(url: string, password: string): string {
  const link = new URL(url)
  link.hash = new URLSearchParams({ [key]: password }).toString()
  return link.href
}

/** The one-time password in the fragment `hash`; undefined when there is none. */
export function passwordOfFragment(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get(key) || undefined
}
