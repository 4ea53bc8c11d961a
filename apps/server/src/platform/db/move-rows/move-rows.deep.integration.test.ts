import { expect, test } from 'vitest'
import { guardsOf, useRowsToMove } from '../testing/rows-to-move.ts'
import { moveRows } from './move-rows.ts'

const { withClients, withTarget } = useRowsToMove()

test('leaves the target as it was where it is cut off, and moves all when it is run again', async () => {
  await withTarget(async (target) => {
    const before = await guardsOf(target)
    for (const table of ['audit_personal', 'zones'])
      await withClients(target.url, async (from, to) => {
        const query = to.query.bind(to)
        const cut = (...args: Parameters<typeof query>) => {
          const [asked] = args
          // The server ends the session while this table is copied.
          const isIt = typeof asked === 'string' && asked.includes(`from (select`) && asked.includes(`public.${table}`)
          return isIt ? query('select pg_terminate_backend(pg_backend_pid())') : query(...args)
        }
        Object.assign(to, { query: cut })
        await expect(moveRows(from, to)).rejects.toThrow()
      })
    expect(await guardsOf(target)).toEqual(before)
    const { rows } = await target.pool.query('select count(*)::int as count from audit_records')
    expect(rows).toEqual([{ count: 0 }])
    const moved = await withClients(target.url, (from, to) => moveRows(from, to))
    expect(moved.find(({ name }) => name === 'public.audit_records')).toMatchObject({ rows: 300 })
  })
})
