/** An order that was answered as paid, before the reconciler has seen its payment. */
import { getEstimatedRefundAmount } from '@atoll/contract/billing'
import { createCluster, destroyMaster } from '@atoll/contract/clusters'
import { until } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../authorization/testing/test-app.ts'
import { silentLog } from '../../../platform/log.ts'
import { readUnsettled } from '../../billing/index.ts'
import { addSandboxCard } from '../../billing/testing/charging-harness.ts'

test('is destroyed at once by its owner, at the refund that was shown', async () => {
  await using app = await openTestApp()
  const { db } = app.database
  const { userid, api } = await app.createPerson()
  await db.transaction().execute((trx) => addSandboxCard(trx, userid, '4242424242424242'))
  const offer = { cloudName: 'bay', regionId: 'bay', offering: 'bay-4', version: '1.0.0' }
  const ordering = api.ask(createCluster, { clusterType: 'Cloud', ...offer })
  // No worker runs here: the card is charged while the call waits for that, and no cluster is reconciled.
  const begun = db.selectFrom('payments').select('id').where('userid', '=', userid).where('state', '=', 'created')
  const { id } = await until('the payment begins', () => begun.executeTakeFirst())
  const charge = app.system.jobs.find(({ name }) => name === 'payment.reconcile')
  await charge?.run({ id }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  const { clusterId, ...answer } = await ordering
  expect(answer).toMatchObject({ status: 'paid', paid: true, amount: 1440 })

  const { estimateToken, amount } = await api.ask(getEstimatedRefundAmount, { clusterId })
  expect(await api.ask(destroyMaster, { clusterId, confirm: true, estimateToken })).toEqual({ status: 'destroying' })
  expect(await readUnsettled(db, userid)).toMatchObject({ balance: amount })
  expect(amount).toBe(1440)
})
