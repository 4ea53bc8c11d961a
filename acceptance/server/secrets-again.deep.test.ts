/** Secrets whose files change while the server runs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer, until } from '@atoll/testkit'
import { expect, it, onTestFinished } from 'vitest'

it('SIGHUP has a running server read its secrets again, and never stops it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'token')
  writeFileSync(file, 'the token of before, long enough')
  await using server = await startServer({ roles: ['api'], env: { ATOLL_METRICS_TOKEN_FILE: file } })
  const statusWith = async (token: string) =>
    (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await statusWith('the token of before, long enough')).toBe(200)
  const { pid } = server
  writeFileSync(file, 'the token of after, long enough')
  process.kill(pid, 'SIGHUP')
  await until('the new token is taken', async () => (await statusWith('the token of after, long enough')) === 200)
  expect(await statusWith('the token of before, long enough')).toBe(401)

  writeFileSync(file, '')
  process.kill(pid, 'SIGHUP')
  await until('it says what is wrong', () => server.log.some((line) => line.includes('stay as they were')))
  expect(await statusWith('the token of after, long enough')).toBe(200)
  expect(server.pid).toBe(pid)
})
