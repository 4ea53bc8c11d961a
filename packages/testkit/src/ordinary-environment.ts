/**
 * This process's environment without what a test runner adds, so that the server does not behave differently under
 * test, and without settings of a developer's own deployment.
 */
export function ordinaryEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TEST|ATOLL_|NODE_ENV$|DATABASE_URL$)/.test(name),
  )
  return Object.fromEntries(kept)
}
