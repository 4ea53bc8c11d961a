import { fileURLToPath } from 'node:url'

/** Root of the repository, and the programs that tests start by path: packages never import apps. */
export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url))
export const serverEntryPoint = fileURLToPath(new URL('../../../apps/server/src/main.ts', import.meta.url))
export const agentEntryPoint = fileURLToPath(new URL('../../../apps/agent/src/main.ts', import.meta.url))
