/** Fetches, verifies and unpacks a release of the agent; each step may be cut short and begun again. */
import { execFile } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { type AgentRelease, agentArchivePath, signedTextOf } from '@atoll/contract/agents'
import { hasErrorCode, syncFolder } from '../kernel/atomic-file.ts'
import { packageFolder } from '../kernel/package-folder.ts'
import { agentTime } from '../kernel/version.ts'

const run = promisify(execFile)
const timeLimitMs = 10 * 60_000
/** An archive is 2 MB. */
const mostBytes = 64 * 1024 * 1024

/** The key that this agent came with, as PEM; undefined for one that is of no signed release. */
export async function readReleaseKey(folder = packageFolder): Promise<string | undefined> {
  try {
    return await readFile(join(folder, 'release-key.pem'), 'utf8')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Throws, in words, unless `release` is newer than this program and signed with `key`. */
export function judgeRelease(release: AgentRelease, key: string | undefined, runningSince = agentTime): void {
  if (key === undefined) throw new Error('This agent came without a key of a release, so it installs none.')
  const { signature, at, version } = release
  const isSigned = verify(
    null,
    Buffer.from(signedTextOf(release)),
    createPublicKey(key),
    Buffer.from(signature, 'base64'),
  )
  if (!isSigned) throw new Error(`Version ${version} is not signed with the key that this agent came with.`)
  if (at < runningSince) throw new Error(`Version ${version} is older than this one.`)
}

/**
 * Fetches a release that `judgeRelease` allowed into a folder of `programs`; returns the folder's name. A folder that
 * is none of `inUse` may have lost files in a power cut, and is fetched again.
 */
export async function fetchRelease(
  release: AgentRelease,
  {
    programs,
    inUse,
    controlUrl,
    signal,
  }: { programs: string; inUse: readonly (string | null)[]; controlUrl: string; signal: AbortSignal },
): Promise<string> {
  const name = release.sha256.slice(0, 16)
  const folder = join(programs, name)
  if (inUse.includes(name) && existsSync(folder)) return name
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  const archive = join(draft, 'agent.tar.gz')
  try {
    await download(controlUrl + agentArchivePath(release), { archive, sha256: release.sha256, signal })
    await run('tar', ['-xzf', archive, '-C', draft], { signal })
    await rm(archive)
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
    await syncFolder(programs)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return name
}

async function download(
  url: string,
  { archive, sha256, signal }: { archive: string; sha256: string; signal: AbortSignal },
): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)])
  const response = await fetch(url, { signal: limit, redirect: 'error' })
  if (!response.ok || !response.body)
    throw new Error(`The new version could not be fetched (status ${response.status}).`)
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline(
    Readable.fromWeb(response.body),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > mostBytes) throw new Error('The new version is larger than any that there is.')
        hash.update(chunk)
        yield chunk
      }
    },
    createWriteStream(archive, { mode: 0o600 }),
    { signal: limit },
  )
  if (hash.digest('hex') !== sha256) throw new Error('What was fetched is not what was signed.')
}
