import { afterEach, expect, it } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import type { Listener } from '../../../platform/events/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { removeZone, setZone } from '../zones/zone-store.ts'
import { followZones, type LiveZones } from './zone-map.ts'

const database = useDatabase()
const domain = 'lagoon.example'
const nameServers = ['ns1.host.example']
const zone = { domain, nameServers, records: [] }
let live: LiveZones | undefined
afterEach(() => live?.close())

/** Follows the zones; the test sends the notifications. */
async function follow(): Promise<{ notify: (payload: unknown) => void; serial: () => number | undefined }> {
  let notify: (payload: unknown) => void = () => undefined
  const listener: Listener = {
    on(_, fn) {
      notify = fn
      return () => undefined
    },
    onResync: () => () => undefined,
    ready: async () => undefined,
    connected: () => true,
    close: async () => undefined,
  }
  const followed = await followZones({ db: database.db, listener, log: silentLog })
  live = followed
  return { notify, serial: () => followed.zones.get(domain)?.serial }
}
const change = () =>
  database.db
    .transaction()
    .execute((trx) => setZone(trx, { ...zone, records: [{ name: domain, type: 'A', value: '192.0.2.1' }] }))

it('a zone that a notification brings is served without asking the database', async () => {
  const { notify, serial } = await follow()
  notify({ domain, zone: { ...zone, serial: 7 } })
  expect(serial()).toBe(7)
})

it('a zone brought while zones are being read is read once more', async () => {
  const { notify, serial } = await follow()
  const { version } = await change()
  notify({ domain })
  // Brought now, it could be newer than what is being read, or older than what is read next.
  notify({ domain, zone: { ...zone, serial: version + 1000 } })
  expect(serial()).not.toBe(version + 1000)
  await expect.poll(serial).toBe(version)
})

it('a zone that is gone is read, and then no longer served', async () => {
  await change()
  const { notify, serial } = await follow()
  expect(serial()).toBeGreaterThan(0)
  await database.db.transaction().execute((trx) => removeZone(trx, { domain }))
  notify({ domain })
  await expect.poll(serial).toBeUndefined()
})
