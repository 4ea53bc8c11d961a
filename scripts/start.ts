/**
 * `npm start`: builds the pages and the agent's archive where sources changed, finds or fetches restic, then runs the
 * server in this process.
 */
import { main } from '../apps/server/src/main.ts'
import { needsBuilds, readCommand } from '../apps/server/src/start/command-line.ts'
import { isAgentArchiveCurrent, isCurrent, listFrontEnds } from './building/build-state.ts'
import { runToEnd, stopWithParent } from './processes.ts'
import { ensureRestic, findResticProgram } from './programs/restic.ts'
import { projectRoot } from './project.ts'

const args = process.argv.slice(2)

/** A process of its own, because the builder takes memory that the server would keep, and packages that it lacks. */
async function build(): Promise<number> {
  if (listFrontEnds().every(isCurrent) && isAgentArchiveCurrent()) return 0
  const command = ['scripts/with-node.mjs', 'scripts/build.ts']
  return await runToEnd(process.execPath, command, { cwd: projectRoot, stdio: ['ignore', 2, 2] })
}

function wantsBuilds(): boolean {
  try {
    return needsBuilds(readCommand(args, process.env, projectRoot))
  } catch {
    return false // the server's own start says what is wrong
  }
}

const wanted = wantsBuilds()
const [built, restic] = await Promise.all([
  wanted ? build() : 0,
  wanted ? ensureRestic((text) => process.stderr.write(`${text}\n`)) : findResticProgram(),
])
// Instances and machines are given it.
if (restic !== undefined) process.env['RESTIC'] = restic
stopWithParent()
if (built === 0) await main(args)
else {
  process.stderr.write('The pages cannot be built; see above.\n')
  process.exitCode = 1
}
