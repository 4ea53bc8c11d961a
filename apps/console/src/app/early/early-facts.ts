import type { Locale } from '@atoll/contract/wire'

/**
 * Facts that the build passes to the early script: names of built files, and facts whose schemas it would otherwise
 * have to load.
 */
export interface EarlyFacts {
  /** Begins the paths that do without an account. */
  signInPath: string
  /** Name of the `meta` element with the runtime configuration. */
  configName: string
  /** Path of the first call of every signed-in page. */
  initPath: string
  signIn: EarlyFiles
  signedIn: EarlyFiles
  texts: { always: Record<Locale, string>; signedIn: Record<Locale, string> }
}

/** Addresses to ask for. */
export interface EarlyFiles {
  modules: string[]
  styles: string[]
}
