import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { targetOf } from './dump.ts'
import { restoreDump } from './restore-dump.ts'

const PGTARGETSESSIONATTRS = 'read-write'

it.each([
  ['postgresql:///atoll?host=/run/postgresql', 'postgresql:///atoll?host=/run/postgresql', undefined],
  ['postgres://atoll@a/atoll', 'postgres://atoll@a/atoll', undefined],
  ['postgres://atoll:p%40ss@a,b:6432/atoll?sslmode=require', 'postgres://atoll@a,b:6432/atoll?sslmode=require', 'p@ss'],
  ['postgres://atoll@a/atoll?password=p%26&sslmode=require', 'postgres://atoll@a/atoll?sslmode=require', 'p&'],
  ['postgres://atoll@a/atoll?sslmode=require&password=p', 'postgres://atoll@a/atoll?sslmode=require', 'p'],
])('gives %s to programs without its password', (url, dbname, password) => {
  expect(targetOf(url)).toEqual({
    dbname,
    env: { PGTARGETSESSIONATTRS, ...(password !== undefined && { PGPASSWORD: password }) },
  })
})

it('says what keeps a dump from being read, and waits for nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dump-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await expect(restoreDump({ file: folder }, 'postgres://nobody@127.0.0.1:1/none')).rejects.toThrow('EISDIR')
})
