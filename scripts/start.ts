/** `npm start`: builds the front ends that changed, then runs the server in this process. */
import { main } from '../apps/server/src/main.ts'
import { runToEnd, stopWithParent } from './processes.ts'
import { projectRoot } from './project.ts'

const args = process.argv.slice(2)
const onlyHelp = args.includes('--help') || args.includes('-h')
// A process of its own: the builder takes memory that the server would keep.
const built = onlyHelp
  ? 0
  : await runToEnd(process.execPath, ['scripts/build.ts'], { cwd: projectRoot, stdio: ['ignore', 2, 2] })
stopWithParent()
if (built === 0) await main(args)
else {
  process.stderr.write('The pages cannot be built; see above.\n')
  process.exitCode = 1
}
