import { unreadableRows } from '@atoll/contract/wire'
import { afterEach, expect, it, vi } from 'vitest'
import { ApiProblem } from './call.ts'
import { listFolder, listSessions, searchFolder } from './server.ts'

afterEach(() => vi.unstubAllGlobals())
const answer = (json: unknown, status = 200) => vi.stubGlobal('fetch', async () => Response.json(json, { status }))

const order = { offset: 0, by: 'name', descending: false } as const
const entry = (name: string, kind = 'file') => ({ name, kind, size: 1, modifiedAt: '2026-11-28T07:00:00.000Z' })
const folder = { path: '/', offset: 0, total: 2, usedBytes: 1, freeBytes: 1 }

it('keeps the words of a newer server, and counts the rows that cannot be read', async () => {
  answer({ ...folder, entries: [entry('a', 'hologram'), { name: 7 }, entry('b')] })
  const { entries } = await listFolder('/', order)
  expect(entries.map(({ name, kind }) => [name, kind])).toEqual([
    ['a', 'hologram'],
    ['b', 'file'],
  ])
  expect(unreadableRows(entries)).toBe(1)
  const place = { device: { kind: 'watch', browser: null, system: null }, network: null }
  answer({ open: [{ id: 's', current: true, place, openedAt: 1 }], history: [{ outcome: 'guessed' }] })
  const { open, history } = await listSessions()
  expect([open[0]?.place?.device.kind, history.length, unreadableRows(history)]).toEqual(['watch', 0, 1])
})

it.each([
  [{ ...folder, total: 'many', entries: [] }, 200, 'serverError'],
  ['<html>', 200, 'serverError'],
  [{ code: 'notFound', message: '' }, 404, 'notFound'],
  [{ code: 'eclipse', message: '' }, 503, 'eclipse'],
  [{ error: 'bad gateway' }, 502, 'unreachable'],
  [{ code: 42, message: '' }, 500, 'unreachable'],
] as const)('%j with %i is the problem %s', async (json, status, code) => {
  answer(json, status)
  await expect(listFolder('/', order)).rejects.toMatchObject({ name: ApiProblem.name, code })
})

it('throws the reason of an abort that cuts an answer off', async () => {
  const leaving = new AbortController()
  const json = async () => {
    leaving.abort(new Error('the reader left'))
    throw new TypeError('terminated')
  }
  vi.stubGlobal('fetch', async () => ({ ok: true, json }))
  await expect(searchFolder('/', 'reef', 0, leaving.signal)).rejects.toThrow('the reader left')
})
