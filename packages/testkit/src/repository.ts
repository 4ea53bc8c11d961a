import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root of the repository, and the programs that tests start by path: packages never import apps. */
export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url))
export const serverEntryPoint = fileURLToPath(new URL('../../../apps/server/src/main.ts', import.meta.url))
export const agentEntryPoint = fileURLToPath(new URL('../../../apps/agent/src/main.ts', import.meta.url))

/** Environment variable by which a global setup passes test files the server's bundle; not one of the server's own. */
export const serverBundleVariable = 'TEST_SERVER_BUNDLE'

/**
 * The server as tests from outside start it: as a bundle, as releases have it, where the run made one. To load it from
 * its 1 400 sources takes three times as much processor time.
 */
export function serverProgram(): string {
  return process.env[serverBundleVariable] ?? serverEntryPoint
}

/** A program that an operator runs, by its file in `apps/server/src/operator`, such as `admin/admin.ts`. */
export function operatorProgram(file: string): string {
  const bundle = process.env[serverBundleVariable]
  return bundle === undefined
    ? join(repositoryRoot, 'apps/server/src/operator', file)
    : join(dirname(bundle), `${basename(file, '.ts')}.mjs`)
}
