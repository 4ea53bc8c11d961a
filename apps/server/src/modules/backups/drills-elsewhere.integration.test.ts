/**
 * Drills on clusters that are made for them: each step, what does not pass, and workers that die. How they end before
 * their time: `drill-endings`.
 */
import { expect, test } from 'vitest'
import { came, newKey, sealed, useDrillHarness } from './testing/drill-harness.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const given = useDrillHarness()
const { clock, database, harness, reconcile, step, countChanges, proof, clusters, desiredOnes, arrive, seal, sweep } =
  given

test('a drill makes a machine, has the password sealed for it, and compares what that restores', async () => {
  const [cluster] = await clusters()
  expect(cluster).toMatchObject({ desired: 'running', offering: 'small' })
  expect(cluster?.owner).not.toBe(harness.caller.userid)
  expect([await step(), (await harness.proving(given.id))?.cancellable]).toEqual(['making', true])
  await reconcile()
  expect([...harness.agents.tasks.values()].filter(({ kind }) => kind === 'backup.reseal')).toEqual([])

  const changesOfMaking = await countChanges()
  await arrive()
  await reconcile()
  expect(await step()).toBe('sealing')
  const changesOfSealing = await countChanges()
  expect(changesOfSealing).toBeGreaterThan(changesOfMaking)
  const sealing = harness.agents.newest('backup.reseal')
  expect(sealing).toMatchObject({
    instanceId: harness.agents.agent.instanceId,
    params: { backupId: given.id, to: newKey },
  })
  harness.agents.end(sealing, sealed)
  await reconcile()

  expect(await step()).toBe('restoring')
  expect(await countChanges()).toBeGreaterThan(changesOfSealing)
  const task = harness.agents.newest('backup.drill')
  expect(task).toMatchObject({
    instanceId: cluster?.instanceId,
    params: { backupId: given.id, box: sealed.box, paths: ['/'] },
  })
  expect(JSON.stringify(task.params), 'it is not sent what to find').not.toContain(came.root)
  const grants = database.db.selectFrom('vault_grants').select(['rights', 'until']).where('task_id', '=', task.id)
  expect(await grants.execute()).toMatchObject([{ rights: 'read' }])
  harness.agents.end(task, came)
  await reconcile()

  expect((await proof()).drill).toMatchObject({ passed: true, equal: 40, sameHost: false })
  expect([await desiredOnes(), await harness.proving(given.id), harness.mails]).toEqual([['destroyed'], null, []])
  for (const { until } of await grants.execute()) expect(until.getTime()).toBeLessThanOrEqual(clock.now().getTime())
  clock.advance(30 * day)
  await harness.settleCheck(given.id)
  expect(await desiredOnes(), 'a month later on another one').toEqual(['destroyed', 'running'])
})

test.each([
  ['another root', { root: 'cd'.repeat(32) }],
  ['a file less', { files: 39 }],
  ['nothing', { files: 0 }],
  ['a warning', { warnings: 1 }],
])('%s does not pass, is mailed, and its cluster goes', async (_, lie) => {
  await seal()
  harness.agents.end(harness.agents.newest('backup.drill'), { ...came, ...lie })
  await reconcile()
  expect((await proof()).drill).toMatchObject({ passed: false, sameHost: false })
  expect([harness.mails.length, await desiredOnes()]).toEqual([1, ['destroyed']])
})

test('wherever the worker dies, a drill ends with one verdict, and no cluster is left', async () => {
  /** Every call that a pass makes of others fails once, the `fatal`th of all, after it was made. */
  async function walk(fatal: number): Promise<number> {
    const { deps } = harness
    const [{ agents, drills, vault }] = [deps]
    let calls = 0
    const dying =
      <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
      async (...args: Args): Promise<Answer> => {
        const answer = await call(...args)
        calls += 1
        if (calls === fatal) throw new Error('the worker dies')
        return answer
      }
    // A task that was asked for in a transaction that did not end was never asked for.
    const asked = async (...args: Parameters<typeof agents.requestTask>) => {
      calls += 1
      if (calls === fatal) throw new Error('the worker dies')
      return await agents.requestTask(...args)
    }
    deps.agents = { ...agents, requestTask: asked as typeof agents.requestTask }
    deps.drills = { ...drills, order: dying(drills.order), find: dying(drills.find), destroy: dying(drills.destroy) }
    deps.vault = { ...vault, grant: dying(vault.grant), endGrants: dying(vault.endGrants) }
    const advance = async () => {
      await arrive()
      await reconcile().catch((error: Error) => {
        if (error.message !== 'the worker dies') throw error
      })
      for (const task of harness.agents.tasks.values()) {
        if (task.state !== 'offered') continue
        if (task.kind === 'backup.check') harness.agents.end(task, { outcome: 'done', durationMs: 5 })
        if (task.kind === 'backup.reseal') harness.agents.end(task, sealed)
        if (task.kind === 'backup.drill') harness.agents.end(task, came)
      }
    }
    const before = (await proofs()).length
    clock.advance(31 * day)
    const isOver = async () => (await proofs()).length > before && (await harness.proving(given.id)) === null
    for (let at = 0; at < 12 && !(await isOver()); at += 1) await advance()
    Object.assign(deps, { agents, drills, vault })
    expect((await proofs()).slice(before)).toMatchObject([{ passed: true, elsewhere: true }])
    expect((await desiredOnes()).filter((each) => each === 'running')).toEqual([])
    return calls
  }
  const proofs = () =>
    database.db
      .selectFrom('proofs')
      .select(['passed', 'elsewhere'])
      .where('backup_id', '=', given.id)
      .where('level', '=', 'drilled')
      .orderBy('at')
      .execute()
  await seal()
  harness.agents.end(harness.agents.newest('backup.drill'), came)
  await reconcile()
  const calls = await walk(Number.POSITIVE_INFINITY)
  expect(calls).toBeGreaterThan(8)
  expect(calls).toBeLessThan(25)
  for (let fatal = 1; fatal <= calls; fatal += 1) await walk(fatal)
})

test('the sweep leaves what is drilled on, and destroys what is too old or nobody’s', async () => {
  await sweep()
  expect(await desiredOnes()).toEqual(['running'])
  // Whatever keeps its backup from being reconciled.
  clock.advance(6 * hour + minute)
  await sweep()
  expect(await desiredOnes()).toEqual(['destroyed'])

  const request = { size: 1000, currency: 'usd', onlyFree: true } as const
  await database.db.transaction().execute((trx) => harness.deps.drills.order(trx, request))
  await sweep()
  expect(await desiredOnes()).toEqual(['destroyed', 'destroyed'])
})
