import { expect, test } from 'vitest'
import { createComplaints } from './complaints.ts'

function listen() {
  let now = 0
  const lines: [object, string][] = []
  const log = { warn: (fields: object, message: string) => void lines.push([fields, message]) }
  const complaints = createComplaints(log as Parameters<typeof createComplaints>[0], () => now) // warn is all it uses
  const pass = (ms: number) => {
    now += ms
  }
  return { lines, complaints, pass }
}

test('what is said again within a minute is one line with a count', () => {
  const { lines, complaints, pass } = listen()
  for (let at = 0; at < 45_000; at += 1) complaints.warn('in_1', 'refused', { at })
  complaints.warn('in_2', 'refused', { at: 7 })
  expect(lines).toEqual([
    [{ at: 0 }, 'refused'],
    [{ at: 7 }, 'refused'],
  ])
  pass(60_000)
  complaints.warn('in_1', 'refused', { at: 8 })
  expect(lines.slice(2)).toEqual([
    [{ at: 44_999, repeated: 44_999 }, 'refused'],
    [{ at: 8 }, 'refused'],
  ])
  complaints.warn('in_1', 'refused', { at: 9 })
  complaints.flush()
  complaints.flush()
  expect(lines.slice(4)).toEqual([[{ at: 9, repeated: 1 }, 'refused']])
})

test('a client that changes whom it is about fills no memory, and nothing is lost', () => {
  const { lines, complaints } = listen()
  for (let at = 0; at < 30_000; at += 1) complaints.warn(`in_${at}`, 'refused')
  expect(lines).toHaveLength(30_000)
  complaints.warn('in_29999', 'refused')
  complaints.flush()
  expect(lines.at(-1)).toEqual([{ repeated: 1 }, 'refused'])
})
