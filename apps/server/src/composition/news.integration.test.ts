import { firstStepsDismiss, firstStepsShow, passwordKept } from '@atoll/contract/accounts'
import type { Call } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { useBilledWorld } from '../modules/clusters/testing/billed-world.ts'
import { composeNews } from './people.ts'

const { bills, world } = useBilledWorld()

test('a first step is done by what is there, and stays done; who dismisses them sees them no more', async () => {
  const { routes } = composeNews({ db: world.db, clock: bills.clock })
  const ask = async (call: Call) => {
    const route = routes.find((one) => one.call.name === call.name)
    return await route?.handle({}, { account: bills.caller(), locale: 'en-US' } as never) // of a request, what these read
  }
  const done = async () => {
    const { steps } = firstStepsShow.data.parse(await ask(firstStepsShow))
    return steps.filter(({ isDone }) => isDone).map(({ step }) => step)
  }
  expect(await done()).toEqual([])
  await world.database.pool.query(`update accounts set email = 'reef@example.com' where userid = $1`, [bills.owner])
  const clusterId = await bills.running()
  expect(await done()).toEqual(['email', 'create'])
  await world.database.pool.query('update instances set os_active = true where cluster_id = $1', [clusterId])
  await world.database.pool.query(`update clusters set status = 'destroyed' where id = $1`, [clusterId])
  await ask(passwordKept)
  await ask(passwordKept)
  expect(await done()).toEqual(['email', 'create', 'activate', 'password'])
  await world.database.pool.query(
    `insert into backups (id, owner, cluster_id, name, repo_id, paths, schedule, time_zone, keep, state, slots_until,
       password, has_repository, created_at, deleted_at)
     values ('bk_1', $1, $2, 'b', 'rp_1', '[]', '{}', 'UTC', '{}', 'deleted', now(), 'kept', true, now(), now())`,
    [bills.owner, clusterId],
  )
  expect(await done()).toHaveLength(5)
  expect(await ask(firstStepsShow)).toMatchObject({ isDismissed: false })
  await ask(firstStepsDismiss)
  expect(await ask(firstStepsShow)).toMatchObject({ isDismissed: true })
})
