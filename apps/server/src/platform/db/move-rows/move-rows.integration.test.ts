import { expect, test } from 'vitest'
import { guardsOf, useRowsToMove } from '../testing/rows-to-move.ts'
import { moveRows } from './move-rows.ts'

const { source, withClients, withTarget } = useRowsToMove()

test('moves every row past what numbers and guards tables, which is there again after it', async () => {
  await withTarget(async (target) => {
    // As where an hour has begun since the source ran.
    const partition = 'create table minute_samples_new partition of minute_samples for values from ($$2001-01-01$$) to'
    await target.pool.query(`${partition} ($$2001-01-02$$)`)
    let write: Promise<unknown> | undefined
    const seen: string[] = []
    const moved = await withClients(target.url, async (from, to) => {
      const query = to.query.bind(to)
      const watched = (...args: Parameters<typeof query>) => {
        const [asked] = args
        // A role that starts while it is copied.
        if (typeof asked === 'string' && asked.startsWith('truncate'))
          write = source.pool
            .query(`insert into deployment_facts (name, value) values ('late', '1')`)
            .then(() => seen.push('written'))
        if (asked === 'commit') seen.push('moved')
        return query(...args)
      }
      Object.assign(to, { query: watched })
      return await moveRows(from, to)
    })
    await write
    expect(seen).toEqual(['moved', 'written'])
    expect(moved.length).toBeGreaterThan(100)
    expect(moved.find(({ name }) => name === 'public.audit_records')).toMatchObject({ rows: 300 })
    expect(await guardsOf(target)).toEqual(await guardsOf(source))
    for (const change of ['delete from audit_seals', 'update audit_records set action = $$x$$', 'truncate audit_seals'])
      await expect(target.pool.query(change), change).rejects.toThrow()
    // Sequences continue where they were.
    const { rows } = await target.pool.query(
      `select nextval('zone_versions')::int as next, (select count(*)::int from deployments) as own`,
    )
    const { rows: there } = await source.pool.query(
      `select nextval('zone_versions')::int as next, (select count(*)::int from deployments) as own`,
    )
    expect(rows).toEqual(there)
    const ids = await Promise.all(
      [source, target].map(async ({ pool }) => (await pool.query('select id from deployments')).rows),
    )
    expect(ids[0]).toEqual(ids[1])
  })
})
