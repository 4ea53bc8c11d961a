/**
 * The crash matrix of charging: a worker is killed at every boundary, between any two writes and on both sides of each
 * request to a gateway whose first answer is lost; the next worker knows only what the database and the gateway show.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { createDatabase } from '../../../platform/db/index.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { runToBoundary } from '../../clusters/testing/boundary-pool.ts'
import { getInvoice } from '../documents/invoice-store.ts'
import { type ChargingDesk, openChargingDesk } from '../testing/charging-desk.ts'
import type { DoomedChargingOptions } from '../testing/doomed-charging.ts'
import { expectSound } from '../testing/expect-sound.ts'
import { openStumblingDesk } from '../testing/stumbling-desk.ts'

const program = fileURLToPath(new URL('../testing/doomed-charging.ts', import.meta.url))
const database = useDatabase({ max: 12 })

interface Attempt {
  desk: ChargingDesk
  invoiceId: string
  paymentId: string
}
/** What is to be carried on: each in an account of its own, as one that stopped keeps its account locked. */
const scenes = {
  pays: (desk: ChargingDesk) => begin(desk, '4242424242424242'),
  declines: (desk: ChargingDesk) => begin(desk, '4000000000000341'),
  async 'is canceled on its page'(desk: ChargingDesk) {
    const begun = await begin(desk, '4000000000003220')
    await desk.carry(begun.paymentId)
    const { userid, billing, transact } = desk
    await transact((trx) => billing.lapse(trx, { userid, invoiceId: begun.invoiceId, at: new Date() }))
    return begun
  },
}
async function begin(desk: ChargingDesk, number: string): Promise<Attempt> {
  await desk.credit(500)
  return { desk, ...(await desk.order(1440, await desk.addCard(number), new Date())) }
}
const prepare = async (scene: keyof typeof scenes) => await scenes[scene](await openChargingDesk(database))

async function die(boundaries: Record<string, number>): Promise<string[]> {
  const options: DoomedChargingOptions = { databaseUrl: database.url, boundaries }
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  const [, signal] = await once(child, 'close')
  expect([signal, said.err]).toEqual(['SIGKILL', ''])
  return JSON.parse(said.out)
}

test.each([
  ['pays', 8],
  ['declines', 8],
  ['is canceled on its page', 4],
] as const)(
  'a worker killed at every boundary of a payment that %s: charged once or not at all, and the book says so',
  async (scene, least) => {
    const model = await prepare(scene)
    const elsewhere = createDatabase({ connectionString: database.url }, { max: 2 })
    const stumbling = await openStumblingDesk(database, elsewhere, systemClock)
    const { passed } = await runToBoundary(Number.POSITIVE_INFINITY, () => stumbling.carry(model.paymentId))
    await elsewhere.close()
    expect(passed).toBeGreaterThanOrEqual(least)
    const attempts: Attempt[] = []
    while (attempts.length < passed) attempts.push(await prepare(scene))
    const boundaries = Object.fromEntries(attempts.map(({ paymentId }, at) => [paymentId, at + 1]))
    expect(await die(boundaries)).toEqual(attempts.map(({ paymentId }) => paymentId))
    const ends = new Set<string>()
    for (const { desk, paymentId, invoiceId } of attempts) {
      const { state, decline_code: code } = await desk.carry(paymentId)
      ends.add(code ?? state)
      const invoice = await getInvoice(database.db, desk.userid, invoiceId)
      const isVoid = scene === 'is canceled on its page'
      expect(invoice.state).toBe(state === 'succeeded' ? 'paid' : isVoid ? 'void' : 'open')
      expect(await desk.captures()).toEqual(state === 'succeeded' ? { [paymentId]: 940 } : {})
      await expectSound(database, desk)
    }
    // Killed before the gateway heard of it, nothing is charged: it was marked as sent, and is not sent anew.
    const expected = { pays: ['succeeded', 'bankUnreachable'], declines: ['cardDeclined', 'bankUnreachable'] }
    expect([...ends].sort()).toEqual((scene in expected ? expected[scene as 'pays'] : ['canceled']).toSorted())
  },
  120_000,
)
