/** Releases of the agent as `npm run release` makes them, signed with a key of the test's own. */
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AgentRelease, signedTextOf } from '@atoll/contract/agents'
import { bundleProgram } from '../../../../../../scripts/building/agent-bundle.ts'

export interface AgentReleases {
  folder: string
  /** The archive of the newest release that was made. */
  archive: string
  /** The program of version 1.0.0, as it is installed first. */
  program: string
  /** Makes a release of the first one; `main` changes its code. */
  make(version: string, at: number, more?: { main?: (text: string) => string; key?: KeyObject }): AgentRelease
  remove(): void
}

export async function createAgentReleases(): Promise<AgentReleases> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-releases-'))
  const archive = join(folder, 'agent.tar.gz')
  const first = join(folder, 'first')
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await bundleProgram(first, { version: '1.0.0', commit: 'one', at: 100, publicKey: pem })
  return {
    folder,
    archive,
    program: join(first, 'main.mjs'),
    make(version, at, { main = (text: string) => text, key = privateKey } = {}) {
      const tree = join(folder, version)
      cpSync(first, tree, { recursive: true })
      writeFileSync(join(tree, 'package.json'), JSON.stringify({ version, commit: 'one', at, type: 'module' }))
      writeFileSync(join(tree, 'main.mjs'), main(readFileSync(join(first, 'main.mjs'), 'utf8')))
      execFileSync('tar', ['-czf', archive, '-C', tree, '.'])
      const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex')
      const release = { version: `${version}+one`, at, sha256 }
      return { ...release, signature: sign(null, Buffer.from(signedTextOf(release)), key).toString('base64') }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
