import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FolderTaken, lockFolder } from './folder-lock.ts'

/** Both kinds work on Linux; other systems have only the file. */
describe.each(['abstract', 'file'] as const)('a lock by an %s socket', (kind) => {
  const isAbstract = kind === 'abstract'
  let folder: string
  let holder: ChildProcess | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atoll-lock-'))
  })
  afterEach(() => {
    holder?.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })

  async function startHolder(): Promise<ChildProcess> {
    const program = join(import.meta.dirname, 'folder-lock.fixture.ts')
    const child = spawn(process.execPath, [program, folder, kind], { stdio: ['ignore', 'pipe', 'inherit'] })
    holder = child
    await once(child.stdout, 'data')
    return child
  }

  it('is refused while another process lives, and names it', async () => {
    const { pid } = await startHolder()
    await expect(lockFolder(folder, isAbstract)).rejects.toThrow(FolderTaken)
    await expect(lockFolder(folder, isAbstract)).rejects.toThrow(new RegExp(`${folder}.* pid ${pid}\\b`))
  })

  it('is free at once when its holder is killed', async () => {
    const child = await startHolder()
    child.kill('SIGKILL')
    await once(child, 'exit')
    await (await lockFolder(folder, isAbstract)).release()
  })

  it('is free again when released, and for other folders all the time', async () => {
    const first = await lockFolder(folder, isAbstract)
    const other = mkdtempSync(join(tmpdir(), 'atoll-lock-'))
    await (await lockFolder(other, isAbstract)).release()
    rmSync(other, { recursive: true })
    await first.release()
    await (await lockFolder(folder, isAbstract)).release()
  })
})
