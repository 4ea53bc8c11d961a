import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ask, putFile } from './machine.ts'

it('keeps all that a file said before, however often it is written, and leaves one that says the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'atoll.env')
  const put = (text: string) => putFile(path, text, { mode: 0o640, gid: undefined })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  expect(put('A=1')).toBe(true)
  writeFileSync(path, 'A=by hand\n')
  // Left by a run that was killed.
  writeFileSync(`${path}.new`, 'half', { mode: 0o666 })
  expect([put('A=1'), put('A=1'), put('A=2')]).toEqual([true, false, true])
  expect(readdirSync(folder).sort()).toEqual(['atoll.env', 'atoll.env.before', 'atoll.env.before-2'])
  expect([read('atoll.env'), read('atoll.env.before'), read('atoll.env.before-2')]).toEqual([
    ...['A=2\n', 'A=by hand\n', 'A=1\n'],
  ])
  expect(statSync(path).mode & 0o777).toBe(0o640)
})

it('names a program that is not there', async () => {
  await expect(ask('/no/such/program', 'query')).rejects.toThrow('/no/such/program query: Error: spawn')
})
