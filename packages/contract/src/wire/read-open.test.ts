import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { countUnreadable, lacksRows, lookUp, newWordIn, readOpen, unreadableRows } from './read-open.ts'

const Row = z.object({
  id: z.string(),
  status: z.enum(['running', 'stopped']),
  actions: z.array(z.enum(['start', 'stop'])).default([]),
})
const List = z.object({ rows: z.array(Row), page: z.int() })
const row = (id: string, facts: object = {}) => ({ id, status: 'running', actions: ['stop'], ...facts })

describe('an answer of a newer program', () => {
  test('is read with its word, and without the actions that are not known', () => {
    const sent = { rows: [row('a', { status: 'dreaming', actions: ['start', 'dream', 'stop'] }), row('b')], page: 1 }
    const read = readOpen(List, sent).data
    expect(read?.rows).toEqual([row('a', { status: 'dreaming', actions: ['start', 'stop'] }), row('b')])
    expect(unreadableRows(read?.rows)).toBe(0)
    expect(['dreaming', 'status.dreaming_lead', 'status.gone'].map(newWordIn)).toEqual([
      'dreaming',
      'dreaming',
      undefined,
    ])
    expect(List.safeParse(sent).success).toBe(false)
    expect(sent.rows[0]?.status).toBe('dreaming')
  })

  test('is read without the fields that a strict object does not have', () => {
    const shape = z.strictObject({ every: z.enum(['day']) })
    expect(readOpen(shape, { every: 'fortnight', until: 'May' }).data).toEqual({ every: 'fortnight' })
  })

  test('keeps a word where the schema takes words of two kinds, or converts what is around it', () => {
    const shape = z.object({ rule: z.enum(['suffix']).or(z.literal('')), at: z.string().transform(Number) })
    expect(readOpen(shape, { rule: 'lottery', at: '5' }).data).toEqual({ rule: 'lottery', at: 5 })
  })

  test('counts the rows that cannot be read, and has the others, each with its own words', () => {
    const sent = { rows: [row('a'), { id: 7 }, row('b', { status: 'dreaming' }), null, row('c')], page: 1 }
    const read = readOpen(List, sent).data
    expect(read?.rows.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'running'],
      ['b', 'dreaming'],
      ['c', 'running'],
    ])
    expect(unreadableRows(read?.rows)).toBe(2)
    expect([lacksRows(read), lacksRows({ ...read, rows: [] })]).toEqual([true, false])
  })

  test('counts a row whose own list has what cannot be read', () => {
    const shape = z.array(z.object({ name: z.string(), workers: z.array(Row) }))
    const read = readOpen(shape, [
      { name: 'a', workers: [row('a'), { id: 3 }] },
      { name: 'b', workers: [] },
    ]).data
    expect(read?.map(({ name }) => name)).toEqual(['b'])
    expect(unreadableRows(read)).toBe(1)
  })

  test('counts a row of a kind that is not known', () => {
    const shape = z.array(
      z.discriminatedUnion('rule', [
        z.object({ rule: z.literal('flat'), amount: z.int() }),
        z.object({ rule: z.literal('usage'), used: z.int() }),
      ]),
    )
    const read = readOpen(shape, [{ rule: 'flat', amount: 3 }, { rule: 'lottery' }]).data
    expect([read, unreadableRows(read)]).toEqual([[{ rule: 'flat', amount: 3 }], 1])
  })

  test('fails as a whole where what is wrong is in no row', () => {
    expect(readOpen(List, { rows: [], page: 'one' }).success).toBe(false)
    expect(readOpen(List, 'nothing').success).toBe(false)
  })
})

test('the count of a list goes with what is made of it', () => {
  const lists = [
    [row('a'), { id: 7 }],
    [null, row('b')],
  ].map((rows) => readOpen(z.array(Row), rows).data)
  expect(unreadableRows(countUnreadable(lists.flat(), ...lists))).toBe(2)
})

test('what belongs to a word is looked up among the own words of a table', () => {
  const table = { running: 1, stopped: 2 }
  const words = ['running', 'dreaming', 'constructor'] as (keyof typeof table)[]
  expect(words.map((word) => lookUp(table, word, 0))).toEqual([1, 0, 0])
})
