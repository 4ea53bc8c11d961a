/** The same requests to restic's own server, append-only, and to the vault under a right to write. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, findFreePorts, runObjectStore } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createDatabase } from '../../platform/db/index.ts'
import { restServer, runRestServer } from './testing/restic-programs.ts'
import { bucketOf, runVault } from './testing/running-vault.ts'
import { sha256, vaultClient } from './testing/vault-client.ts'
import { openVaultHarness } from './testing/vault-harness.ts'

const types = ['keys', 'locks', 'snapshots', 'index', 'data']
const versions = ['application/vnd.x.restic.rest.v1', 'application/vnd.x.restic.rest.v2']
const ranges = ['bytes=0-0', 'bytes=5-', 'bytes=-7', 'bytes=3-1000000', 'bytes=999999-', 'bytes=20-29']

interface Asked {
  method: string
  path: string
  headers?: Record<string, string>
  body?: Buffer<ArrayBuffer>
}

/** Answers that differ on purpose: what was asked, theirs, ours. */
const reasons: Readonly<Record<string, string>> = {
  // Sending a file twice is what a cut connection leads to; restic takes a 403 for a failure.
  'POST file 403 200': 'a file that is there and sound is success',
  'POST file 403 400': 'what is sent of it is hashed all the same',
  'GET config 200 206': 'a range is answered for every file',
  'GET config 200 416': 'a range is answered for every file',
}

test.skipIf(restServer === undefined).each(['folder', 's3'])(
  '500 random requests are answered as by restic-rest-server, but for what is meant to differ: %s',
  async (driver) => {
    await using scratch = await createTestDatabase()
    await using store = await runObjectStore()
    const database = createDatabase({ connectionString: scratch.url })
    const running = await runVault(database, {
      clock: systemClock,
      ...(driver === 's3' && { bucket: bucketOf(store) }),
    })
    const folder = mkdtempSync(join(tmpdir(), 'atoll-rest-'))
    const [port = 0] = await findFreePorts(1)
    await using theirs = await runRestServer(folder, port)
    try {
      const harness = await openVaultHarness(database, running.vault, systemClock)
      const client = vaultClient(await harness.grant('write'))
      const blobs = Array.from({ length: 8 }, (_, index) => randomBytes((index + 1) * 40))
      const pick = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)] as T // none is empty
      function draw(): Asked {
        const type = pick(types)
        // Of keys and snapshots a grant brings one: limits.integration.test.ts.
        const blob = type === 'keys' || type === 'snapshots' ? (blobs[0] ?? Buffer.alloc(0)) : pick(blobs)
        const file = Math.random() < 0.1 ? 'config' : `${type}/${sha256(blob)}`
        const kind = Math.random()
        if (kind < 0.15) return { method: 'GET', path: `${pick(types)}/`, headers: { accept: pick(versions) } }
        if (kind < 0.3) return { method: 'GET', path: file, headers: { range: pick(ranges) } }
        if (kind < 0.4) return { method: 'GET', path: file }
        if (kind < 0.5) return { method: 'HEAD', path: file }
        if (kind < 0.6) return { method: 'DELETE', path: file }
        if (kind < 0.65) return { method: 'POST', path: '?create=true' }
        if (kind < 0.7) return { method: 'POST', path: `${type}/${sha256(blob)}`, body: randomBytes(9) }
        return { method: 'POST', path: file, body: blob }
      }
      // Ours, made again before it has a config, removes its keys (`restic.deep.integration.test.ts`); theirs does not.
      const begin: Asked[] = [
        { method: 'POST', path: '?create=true' },
        { method: 'POST', path: 'config', body: pick(blobs) },
      ]
      const differences = new Set<string>()
      for (let count = 0; count < 500; count += 1) {
        const asked = begin[count] ?? draw()
        const { method, path, headers = {}, body } = asked
        const [mine, other] = await Promise.all([
          body ? client.post(path, body) : client.ask(method, path, headers),
          fetch(`${theirs.url}/r/${path}`, { method, headers, ...(body && { body }) }),
        ])
        const what = path.endsWith('/')
          ? 'list'
          : path.startsWith('?')
            ? 'repository'
            : path === 'config'
              ? path
              : 'file'
        const [our, their] = [await readAnswer(mine, what), await readAnswer(other, what)]
        if (mine.status !== other.status) differences.add(`${method} ${what} ${other.status} ${mine.status}`)
        else if (our !== their) differences.add(`${method} ${what}: ${their} instead of ${our}`)
      }
      expect([...differences].filter((one) => reasons[one] === undefined)).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
      await running.close()
      await database.close()
    }
  },
)

/** The parts of an answer that restic reads. */
async function readAnswer(answer: Response, what: string): Promise<string> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) return ''
  const names = ['content-range', ...(what === 'list' ? ['content-type'] : ['content-length'])]
  const body =
    what === 'list' ? JSON.stringify(JSON.parse(bytes.toString()).map(JSON.stringify).sort()) : bytes.toString('hex')
  return [...names.map((name) => `${name}=${answer.headers.get(name)}`), body].join(' ')
}
