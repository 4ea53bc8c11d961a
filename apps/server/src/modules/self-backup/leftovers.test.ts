import { expect, it } from 'vitest'
import { listBeside } from './leftovers.ts'
import { nameBeside } from './server-database.ts'

const url = 'postgres://atoll@db/atoll'
const at = new Date('2026-11-28T10:15:00Z')
const poolOf = (names: readonly string[]) => ({
  // Of a pool only the rows are used.
  query: (async () => ({ rows: names.map((name) => ({ name, isInUse: name.includes('proof') })) })) as never,
})

it('knows the databases that it made beside one, however long its name is, and no other', async () => {
  const long = 'a'.repeat(60)
  const made = nameBeside('atoll', 'restored', at)
  const others = ['atoll', 'postgres', 'reef_restored_20261128_101500', 'atoll_restored_20261399_101500', 'atoll_old']
  expect(await listBeside(poolOf([made, nameBeside('atoll', 'proof', at), ...others]), url)).toEqual([
    { name: made, kind: 'restored', isInUse: false },
    { name: nameBeside('atoll', 'proof', at), kind: 'proof', isInUse: true },
  ])
  const beside = nameBeside(long, 'before', at)
  expect(await listBeside(poolOf([beside]), url.replace(/atoll$/, long))).toMatchObject([{ kind: 'before' }])
})
