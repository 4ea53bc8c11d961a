import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { lookUp, newWordIn, readOpen, unreadableRows } from './read-open.ts'
import { countUnreadable, lacksRows } from './unreadable-rows.ts'

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

  test('lacks of rows inside rows only the innermost, wherever it and the words beside it lie', () => {
    const shape = z.array(z.object({ name: z.string(), workers: z.array(Row) }))
    const read = readOpen(shape, [
      { name: 'a', workers: [row('a'), { id: 3 }, row('b', { actions: ['dream'] }), { id: 4 }] },
      { name: 7, workers: [{ id: 5 }, row('lost', { status: 'dreaming' })] },
      { name: 'b', workers: [{ id: 6 }, row('c', { status: 'dreaming', actions: ['dream', 'stop'] })] },
      { name: 'c', workers: [] },
    ]).data
    expect(read).toEqual([
      { name: 'a', workers: [row('a'), row('b', { actions: [] })] },
      { name: 'b', workers: [row('c', { status: 'dreaming' })] },
      { name: 'c', workers: [] },
    ])
    expect([read, ...(read ?? []).map(({ workers }) => workers)].map(unreadableRows)).toEqual([1, 2, 1, 0])
    expect([lacksRows(read?.[0]), lacksRows(read?.[2])]).toEqual([true, false])
  })

  test('lacks the row around an inner one that it cannot be read without', () => {
    const shape = z.array(z.object({ name: z.string(), waves: z.array(z.object({ size: z.int() })).min(1) }))
    const read = readOpen(shape, [
      { name: 'a', waves: [{ size: 'all' }] },
      { name: 'b', waves: [{ size: 1 }, null] },
    ]).data
    expect(read).toEqual([{ name: 'b', waves: [{ size: 1 }] }])
    expect([read, read?.[0]?.waves].map(unreadableRows)).toEqual([1, 1])
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
