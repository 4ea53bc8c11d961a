import { expect, test } from 'vitest'
import { compareSessions } from './pooler.ts'

/** Sessions through a pooler in transaction mode: the server that became free last serves the next client. */
function openPooler() {
  const free = [101, 102]
  return () => {
    let held: number | undefined
    return {
      async query(text: string) {
        const pid = held ?? free.pop()
        if (pid === undefined) throw new Error('no server is free')
        held = text === 'begin' ? pid : text === 'rollback' ? undefined : held
        if (held === undefined) free.push(pid)
        return { rows: [{ pid }] }
      },
    }
  }
}

test('a pooler in transaction mode is noticed, in words', async () => {
  const open = openPooler()
  expect(await compareSessions(open(), open())).toContain('a pooler in transaction mode')
})

test('two sessions of their own are none, and the second is left outside a transaction', async () => {
  const asked: string[] = []
  const sessionOf = (pid: number) => ({
    async query(text: string) {
      asked.push(text)
      return { rows: [{ pid }] }
    },
  })
  expect(await compareSessions(sessionOf(1), sessionOf(2))).toBeUndefined()
  expect(asked.at(-1)).toBe('rollback')
})
