/**
 * Starts the agent: `node apps/agent/src/main.ts`, configured by the variables in `kernel/config.ts`. Exit codes:
 * `kernel/fatal.ts`.
 *
 * Most of the start is compiling TypeScript and zod. V8's cache of both halves it, and it must be on before the first
 * import, so everything else is imported from here afterwards.
 */
import module from 'node:module'
import { join } from 'node:path'
import { packageFolder } from './kernel/package-folder.ts'

// Beside the sources and not in the shared temporary folder: what is read from there is executed. A cache that cannot
// be written is only slow.
module.enableCompileCache(join(packageFolder, '.cache'))

const { launchOther } = await import('./launch/launch.ts')
if (!(await launchOther())) {
  const { runAgent } = await import('./app/run-agent.ts')
  await runAgent()
}
