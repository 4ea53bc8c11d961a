/** The repository of own backups, with real restic: made only when asked for, known by its id, missed when away. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteErased, readErased } from '../../platform/careful/index.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { restics } from '../vault/testing/restic-programs.ts'
import { bringErased } from './newest-erased.ts'
import { initRepository, requireRepository } from './repository.ts'
import { askRestic } from './restic.ts'

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

test.skipIf(program === undefined)(
  'brings the erased accounts of its newest snapshot, and keeps those here',
  async () => {
    const to = { program, repository: join(folder, 'erased'), passwordFile: join(folder, 'password') }
    await initRepository(database.db, to)
    const [source, dataDir] = [join(folder, 'source'), join(folder, 'data')]
    for (const path of [source, dataDir]) mkdirSync(path)
    const at = new Date('2026-12-10T13:31:00Z')
    const backUp = () => askRestic(to, ['backup', '--host', 'atoll', '--tag', 'atoll-self', '.'], { cwd: source })
    writeFileSync(join(source, 'manifest.json'), '{}')
    await backUp()
    await bringErased(to, dataDir)
    expect(await readErased(dataDir)).toEqual([])
    await noteErased(source, { accountId: 'ac_1', at })
    await noteErased(source, { accountId: 'ac_2', at })
    await backUp()
    await noteErased(dataDir, { accountId: 'ac_3', at })
    for (let times = 0; times < 2; times += 1) await bringErased(to, dataDir)
    expect((await readErased(dataDir)).map(({ accountId }) => accountId).sort()).toEqual(['ac_1', 'ac_2', 'ac_3'])
  },
)
