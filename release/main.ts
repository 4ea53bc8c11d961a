/**
 * `npm run release`: makes the files of a release in .cache/release, tries them, and prints how quickly they start. The
 * private key of ATOLL_RELEASE_KEY_FILE signs it.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../scripts/project.ts'
import { readIdentity } from './layout.ts'
import { makeRelease } from './make.ts'
import { importEveryChunk, startOnce } from './smoke.ts'
import { keySetting } from './sums.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

const identity = readIdentity()
const folder = join(projectRoot, '.cache/release')
const { tree, archive, ociImage, isSigned, hasImage } = await makeRelease(folder, identity, process.env)
say(
  `${archive}: ${(statSync(archive).size / 1e6).toFixed(1)} MB, version ${identity.version}, commit ${identity.commit}`,
)
if (identity.commit.endsWith('-modified')) say('NOT what was committed: there are changes in the work tree.')
if (!isSigned) say(`NOT SIGNED: ${keySetting} names no private key.`)
say(
  ociImage
    ? `${ociImage.file}: ${ociImage.digest}`
    : 'Without an image for containers: that needs root and mmdebstrap.',
)
if (!hasImage) say('Without an image for LXD: npm run image:build makes it.')
say(`${await importEveryChunk(tree)} files of the server load.`)
for (const roles of ['api,worker,edge,dns,vault', 'api', 'worker', 'edge', 'dns', 'vault']) {
  const { readyMs, processorMs, memoryMb } = await startOnce(tree, roles)
  say(`${roles}: ready after ${readyMs} ms, of them ${processorMs} ms of a processor, ${memoryMb} MB`)
}
