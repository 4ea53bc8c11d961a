import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Config } from '../../config.ts'
import { createDomainHarness } from '../../modules/domains/testing/domain-harness.ts'
import { stepsIn } from '../../modules/domains/testing/domain-steps.ts'
import { releaseByOperator } from './release-domain.ts'

test.each([
  [undefined, false],
  [{ urls: ['http://192.0.2.53:8081'], key: 'k' }, true],
])('with PowerDNS %j a released domain is published again: %s', async (powerDns, isWoken) => {
  await using harness = await createDomainHarness()
  const caller = await harness.createCaller()
  const { domain } = await stepsIn(harness).delegated(caller)
  const config = { secretKey: 'k'.repeat(43), dataDir: '/none', powerDns } as unknown as Config // all that it reads
  expect(await releaseByOperator(harness.db, config, domain)).toBe(caller.did)
  // Nobody else had proved it, and its owner did not remove it.
  const last = await harness.db.selectFrom('audit_records').select('action').orderBy('seq', 'desc').executeTakeFirst()
  expect(last?.action).toBe('domain.takeAway')
  const { rows } = await sql<{ key: string }>`select key from graphile_worker.jobs where key like 'zone.%'`.execute(
    harness.db,
  )
  expect(rows.map(({ key }) => key)).toEqual(isWoken ? [`zone.reconcile:${domain}`] : [])
})
