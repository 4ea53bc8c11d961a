/** The repository of own backups, with real restic: made only when asked for, known by its id, missed when away. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { restics } from '../vault/testing/restic-programs.ts'
import { initRepository, requireRepository } from './repository.ts'

const program = restics['0.18']
const database = useDatabase()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-own-'))
  writeFileSync(join(folder, 'password'), 'a password for tests')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(program === undefined)(
  'is made by init alone; an empty mount point or another disk is refused by name, and nothing is made there',
  async () => {
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    const to = { program, repository: disk, passwordFile: join(folder, 'password') }
    await expect(requireRepository(database.db, to)).rejects.toThrow('is its disk mounted?')
    expect(readdirSync(disk)).toEqual([])
    const made = await initRepository(database.db, to)
    expect(made.isNew).toBe(true)
    await requireRepository(database.db, to)
    expect(await initRepository(database.db, to)).toEqual({ id: made.id, isNew: false })

    renameSync(disk, `${disk}-away`)
    mkdirSync(disk)
    await expect(requireRepository(database.db, to)).rejects.toThrow('is its disk mounted?')
    expect(readdirSync(disk)).toEqual([])
    const { id: other } = await initRepository(database.db, { ...to, repository: join(folder, 'other') })
    expect(other).not.toBe(made.id)
    rmSync(disk, { recursive: true })
    renameSync(`${disk}-away`, disk)
    await expect(requireRepository(database.db, to)).rejects.toThrow('is the right disk mounted?')
    await initRepository(database.db, to)
    await requireRepository(database.db, to)
  },
)
