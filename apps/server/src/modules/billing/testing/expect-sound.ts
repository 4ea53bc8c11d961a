import { expect } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/db/index.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { verifyDocuments } from '../index.ts'
import type { ChargingHarness } from './charging-harness.ts'

/** The book verifies, documents bear it out, and what the gateway took is what was posted for it. */
export async function expectSound({ db }: Database, harness: ChargingHarness): Promise<void> {
  const { userid } = harness
  const sealer = createSealer(Buffer.alloc(32, 7))
  expect(await verifyLedger(db, { sealer, userid })).toMatchObject({ whole: true })
  expect(await verifyDocuments(db, userid)).toBeUndefined()
  const taken = Object.values(await harness.captures()).reduce((sum, minor) => sum + minor, 0)
  expect(await harness.balance('gateway:sandbox')).toBe(taken)
}
