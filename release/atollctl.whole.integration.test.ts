/** Every verb of `atollctl` as an operator types it: `--help`, an option that is not there, and `--json`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { layOutAtollctl } from './testing/tried-atollctl.ts'
import { readers, verbs } from './testing/verbs.ts'

const folder = mkdtempSync(join(tmpdir(), 'atollctl-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { run } = layOutAtollctl(
  folder,
  {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    ATOLL_DATA_DIR: folder,
    ATOLL_SECRET_KEY: 'a key of a test that is nowhere else',
  },
  { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled') },
)

describe.each(Object.entries(verbs))('%s', (verb, { args, code }) => {
  test('explains its usage, its JSON and its exit codes', async () => {
    const said = await run([verb, '--help'])
    expect(said).toMatchObject({ code: 0, err: '' })
    expect(said.out).toMatch(/^(Usage: )?atollctl|^Usage: npm run /)
    for (const word of ['--json', 'Exit codes: 0 ']) expect(said.out).toContain(word)
  })
  test('answers with one value of JSON', async () => {
    const said = await run([verb, ...args, '--json'])
    const answer: unknown = JSON.parse(said.out)
    expect([said.code, answer]).toEqual([code, code === 2 ? { error: expect.any(String) } : expect.anything()])
  })
})

test.each(readers)('%s does not understand an option that is not there', async (verb) => {
  const said = await run([verb, '--no-such-option'])
  expect(said).toMatchObject({ code: 2, out: '' })
  expect(said.err).toContain('no-such-option')
})

test.each([
  [['restore', '--swap', '--snapshot', 'latest'], 'name no backup'],
  [['diagnostics', '/nowhere/at/all.zip'], '/nowhere/at/all.zip cannot be written'],
])('%s says what is wrong with it', async (args, words) => {
  const said = await run(args)
  expect(said).toMatchObject({ code: 2, out: '' })
  expect(said.err.trim()).toMatch(new RegExp(`^.*${words}.*$`))
})
