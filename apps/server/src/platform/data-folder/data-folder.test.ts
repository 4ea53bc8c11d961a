import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { OperatorError } from '../operator-error.ts'
import { ensureDataFolder } from './data-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'atoll-data-'))
afterAll(() => rmSync(folder, { recursive: true }))

// The error of a read-only mount: tests may run as root, which no file mode keeps out.
const access = vi.hoisted(() => ({ fails: undefined as string | undefined }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    accessSync: (...args: Parameters<typeof fs.accessSync>) => {
      if (access.fails) throw Object.assign(new Error(access.fails), { code: access.fails })
      return fs.accessSync(...args)
    },
  }
})

it('is made with the folders above it, and left as it is', () => {
  const deep = join(folder, 'a', 'b')
  ensureDataFolder(deep)
  ensureDataFolder(deep)
  expect(statSync(deep).isDirectory()).toBe(true)
})

it('that is a file, or below one, is reported in a sentence', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => ensureDataFolder(file)).toThrow(OperatorError)
  expect(() => ensureDataFolder(file)).toThrow(/data folder .*file cannot be used: it is a file\. .*ATOLL_DATA_DIR/)
  expect(() => ensureDataFolder(join(file, 'below'))).toThrow(/is a file\./)
})

it.each([
  ['EROFS', /read-only file system/],
  ['EACCES', /may not write there/],
])('that cannot be written to (%s) is reported in a sentence', (code, words) => {
  access.fails = code
  try {
    expect(() => ensureDataFolder(folder)).toThrow(OperatorError)
    expect(() => ensureDataFolder(folder)).toThrow(words)
  } finally {
    access.fails = undefined
  }
})

it.skipIf(process.platform !== 'linux')(
  'where the system lets nothing be made is reported in a sentence, at once',
  () => {
    expect(() => ensureDataFolder('/proc/atoll/data')).toThrow(/nothing can be made there\..*ATOLL_DATA_DIR/)
    expect(() => ensureDataFolder('/proc/self')).toThrow(/ATOLL_DATA_DIR/)
  },
)
