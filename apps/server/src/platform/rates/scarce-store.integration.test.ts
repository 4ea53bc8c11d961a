import { expect, test } from 'vitest'
import { useDatabase } from '../db/testing/use-database.ts'
import { takeScarce } from './scarce-store.ts'

const database = useDatabase()
const start = new Date('2026-03-01T10:00:00Z')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)
const take = (account: string, at = start, factor = 1) =>
  takeScarce(database.db, { pot: 'mails', account, network: '192.0.2.1' }, { now: at, factor })

test('an account may use up what a pot holds at once, and what comes back after', async () => {
  for (let count = 0; count < 20; count += 1) expect(await take('moa')).toBe(0)
  // 20 an hour: one comes back in three minutes.
  expect(await take('moa')).toBe(180)
  expect(await take('moa', later(179))).toBe(1)
  expect(await take('moa', later(180))).toBe(0)
  expect(await take('moa', later(180))).toBe(180)
  expect(await take('kai')).toBe(0)
})

test('all processes count together, however many ask at once', async () => {
  const use = { pot: 'shortNames', network: '2001:db8::/64' } as const
  const waits = await Promise.all(
    Array.from({ length: 60 }, () => takeScarce(database.db, use, { now: start, factor: 1 })),
  )
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
  expect(await takeScarce(database.db, { ...use, network: '2001:db8:0:1::/64' }, { now: start, factor: 1 })).toBe(0)
})

test('a factor multiplies what a pot holds; nothing is counted where a pot counts neither', async () => {
  for (let count = 0; count < 40; count += 1) expect(await take('lena', start, 2)).toBe(0)
  expect(await take('lena', start, 2)).toBe(90)
  for (let count = 0; count < 2000; count += 1)
    expect(await takeScarce(database.db, { pot: 'records', network: '192.0.2.1' }, { now: start, factor: 1 })).toBe(0)
})

test('rows that no longer count are deleted as others are written', async () => {
  await database.db.deleteFrom('rate_counts').execute()
  for (let person = 0; person < 25; person += 1) await take(`did:${person}`)
  for (let count = 0; count < 3; count += 1) await take('moa', later(4000 + count))
  const left = await database.db.selectFrom('rate_counts').select('key').orderBy('key').execute()
  expect(left.map(({ key }) => key)).toEqual(['mails account moa', 'mails network 192.0.2.1'])
})
