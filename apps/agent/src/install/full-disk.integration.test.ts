/** A disk that is really full: a small memory file system. Needs the right to mount; without it, skipped. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { until } from '@atoll/testkit'
import { describe, expect, test } from 'vitest'
import { startAgent } from '../app/agent.ts'
import { openDrive } from '../drive/drive.ts'
import { readConfig } from '../kernel/config.ts'
import { openHome } from '../kernel/home.ts'
import { createLog } from '../kernel/log.ts'
import { startActiveAgent } from '../testing/active-agent.ts'
import { acceptedInstall, seedHome, stateWith, unlinkedEnvironment } from '../testing/seeded-home.ts'

const MiB = 1024 * 1024
const canMount = process.getuid?.() === 0 && tryMounting()

/** A disk of its own; undefined where mounting is not allowed. */
function mountDisk(mebibytes: number): ({ path: string } & Disposable) | undefined {
  const path = mkdtempSync(join(tmpdir(), 'atoll-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'none', path])
  if (mounted.status !== 0) {
    rmSync(path, { recursive: true })
    return undefined
  }
  return {
    path,
    [Symbol.dispose]() {
      spawnSync('umount', [path])
      rmSync(path, { recursive: true })
    },
  }
}

function tryMounting(): boolean {
  const disk = mountDisk(1)
  disk?.[Symbol.dispose]()
  return disk !== undefined
}

function getDisk(mebibytes: number): { path: string } & Disposable {
  const disk = mountDisk(mebibytes)
  if (!disk) throw new Error('mounting worked a moment ago')
  return disk
}

describe.skipIf(!canMount)(canMount ? 'on a full disk' : 'on a full disk: needs the right to mount one', () => {
  test('an install fails with the figures, and goes through once there is room', async () => {
    using disk = getDisk(200)
    const filler = join(disk.path, 'filler')
    const home = join(disk.path, 'home')
    await seedHome(home, stateWith(acceptedInstall()))
    await writeFile(filler, randomBytes(150 * MiB))
    const config = readConfig({ ATOLL_AGENT_HOME: home, ...unlinkedEnvironment })
    const agent = await startAgent(config, { log: createLog({ write: () => undefined }) })
    const state = async () => JSON.parse(await readFile(join(home, 'state.json'), 'utf8'))
    const failed = await until('failed', async () => {
      const { install } = await state()
      return install.state === 'failed' && install
    })
    expect(failed.reason).toMatch(/^Only \d+ MiB are free on the disk of the instance; 64 MiB are needed\./)
    expect(failed.steps[0]).toMatchObject({ step: 'prepare', state: 'failed' })
    await agent.stop()

    await rm(filler)
    await seedHome(home, stateWith(acceptedInstall()))
    const again = await startAgent(config, { log: createLog({ write: () => undefined }) })
    await until('done', async () => (await state()).install.state === 'done')
    await again.stop()
  })

  test('that fills up during an upload, the upload is refused and nothing of it is left', async () => {
    using disk = getDisk(100)
    const home = await openHome(join(disk.path, 'home'))
    const drive = await openDrive({ root: home.drive, uploads: home.uploads })
    const body = Readable.from(
      (async function* () {
        yield Buffer.alloc(MiB)
        // Somebody else takes what was free when the upload was accepted.
        await writeFile(join(disk.path, 'filler'), Buffer.alloc(70 * MiB))
        for (let at = 0; at < 49; at++) yield Buffer.alloc(MiB)
      })(),
    )
    await expect(drive.write('/a', body, { length: 50 * MiB, replace: true })).rejects.toMatchObject({ status: 507 })
    expect(await readdir(home.uploads)).toEqual([])
    expect((await drive.list('/')).entries).toEqual([])
  })

  test('a signed-in owner still sees and removes files, and then has room again', async () => {
    using disk = getDisk(100)
    await using server = await startActiveAgent({ in: join(disk.path, 'home') })
    const put = (name: string, mebibytes: number) =>
      server.ask(`PUT /api/drive/file?path=/${name}`, { body: Buffer.alloc(mebibytes * MiB) })
    expect((await put('a', 60)).status).toBe(201)
    const refused = await put('b', 40)
    expect([refused.status, refused.json.code]).toEqual([507, 'diskFull'])
    await writeFile(join(disk.path, 'filler'), Buffer.alloc(30 * MiB))
    expect((await server.ask('GET /api/drive/list?path=/')).json).toMatchObject({
      freeBytes: 0,
      entries: [{ name: 'a' }],
    })
    expect((await server.ask('DELETE /api/drive/entry?path=/a')).status).toBe(204)
    expect((await put('b', 40)).status).toBe(201)
  })
})
