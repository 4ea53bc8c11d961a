/** That nothing which cannot be taken back happens to a world of which the database was brought back, until resume. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { operatorProgram, until } from '@atoll/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Copies, type Harness, type RestoredHarness, restoreHarness } from './restored-harness.ts'

const Readyz = z.looseObject({ careful: z.string().optional(), waiting: z.string().optional() })

export function expectNothingIrrevocable(copies: Copies): void {
  let harness: RestoredHarness
  /** As production left it. */
  let left: Harness
  let known: string[]
  beforeAll(async () => {
    harness = await restoreHarness(copies)
    ;[left, known] = await Promise.all([harness.look(), harness.invoices()])
  })
  afterAll(() => harness?.[Symbol.asyncDispose]())

  const admin = async (...args: string[]) => {
    const path = operatorProgram('admin/admin.ts')
    const env = { ...process.env, ...harness.settings, ATOLL_DATA_DIR: harness.dataDir }
    return (await promisify(execFile)(process.execPath, [path, ...args], { env })).stdout
  }
  /** Has every job run that the clock starts, and waits until each has ended or was put off. */
  async function runAll(): Promise<void> {
    await harness.sql.query(
      `select graphile_worker.add_job(identifier, '{}'::json) from graphile_worker._private_known_crontabs`,
    )
    await until(
      'every job has run or waits',
      async () => {
        const { rowCount } = await harness.sql.query(
          `select from graphile_worker.jobs where locked_at is not null or (run_at <= now() and attempts < max_attempts)`,
        )
        return rowCount === 0
      },
      { timeoutMs: 180_000 },
    )
  }

  it('is careful by what is outside, and says so', async () => {
    expect(left.files).toEqual(['trashed', 'newer'])
    expect(left.zones).toEqual(['kept.example. 192.0.2.2', 'newer.example. 192.0.2.3'])
    expect(left.captures.length).toBeGreaterThanOrEqual(3)
    expect(left.instances).toHaveLength(2)
    await until('it is careful', async () => (await readyz()).careful !== undefined)
    const { rows } = await harness.sql.query<{ about: string }>('select distinct about from evidence order by about')
    await until('every place outside was looked at', async () => {
      const { rowCount } = await harness.sql.query(`select from claims where problem = 'behind'`)
      return rowCount === 2
    })
    expect(rows.map(({ about }) => about)).toEqual(expect.arrayContaining(['gateway', 'zones']))
  })

  it('charges, overwrites, deletes, destroys and issues nothing, though all is due', async () => {
    for (const _ of [1, 2]) await runAll()
    expect(await harness.look()).toEqual(left)
    expect(await harness.invoices()).toEqual(known)
    // Instances and zones that no row names are listed for the operator, and stay. The vault looks once a day.
    const { rows } = await harness.sql.query<{ kind: string }>('select distinct kind from strays order by kind')
    expect(rows.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['instance', 'zone']))
    const { rowCount } = await harness.sql.query(`select from due_items where wall_at <= now()`)
    expect(rowCount).toBeGreaterThan(0)
  })

  it('goes on after resume in a series of its own, and charges nothing twice', async () => {
    expect(await admin('resume')).toContain('series R1')
    await harness.sql.query(`update graphile_worker._private_jobs set run_at = now() where run_at > now()`)
    await runAll()
    await until('the month is billed', async () => (await harness.invoices()).some((line) => line.includes('renewal')))
    const fresh = (await harness.invoices()).filter((line) => !known.includes(line))
    expect(fresh[0]).toMatch(/^ATL-[0-9A-Z]{5}-R1-0001 renewal /)
    await until('it is paid by what was taken', async () =>
      (await harness.invoices()).some((line) => /R1-0001 renewal paid$/.test(line)),
    )
    expect((await harness.look()).captures).toEqual(left.captures)
  })

  const readyz = async () => Readyz.parse(await (await fetch(`${harness.server.url}/readyz`)).json())
}
