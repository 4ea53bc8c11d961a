/** `npm run build`: builds the front ends and the agent's archive where sources changed; `--force` builds all. */
import { buildAgentArchive } from './building/agent-archive.ts'
import { isAgentArchiveCurrent, isCurrent, listFrontEnds } from './building/build-state.ts'
import { buildFrontEnd } from './building/front-ends.ts'

const force = process.argv.includes('--force')
for (const frontEnd of listFrontEnds()) {
  if (!force && isCurrent(frontEnd)) continue
  const startedAt = performance.now()
  await buildFrontEnd(frontEnd)
  process.stderr.write(`Built ${frontEnd.name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
}
// After the pages of the personal server, which are in it.
if (force || !isAgentArchiveCurrent()) await buildAgentArchive()
