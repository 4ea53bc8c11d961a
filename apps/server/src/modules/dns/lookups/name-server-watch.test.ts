import { decode, encode } from 'dns-packet'
import { expect, test } from 'vitest'
import { silentLog } from '../../../platform/log.ts'
import { rcodes } from '../serving/codes.ts'
import type { Ask } from './dns-client.ts'
import { describeSilent, watchNameServers } from './name-server-watch.ts'

const servers = [
  { host: 'ns1.host.example', address: '192.0.2.1', port: 53 },
  { host: 'ns2.host.example', address: '192.0.2.2', port: 53 },
]

test('one silent name server of two is named, and again not once it answers', async () => {
  const silent = new Set(['192.0.2.2'])
  let asked = 0
  let time = 0
  // One that has no such zone refuses, which is an answer.
  const ask: Ask = async ({ address }) => {
    asked += 1
    return silent.has(address) ? undefined : { ...decode(encode({ type: 'response' })), code: rcodes.REFUSED }
  }
  const watch = watchNameServers(ask, servers, silentLog, () => time)
  expect(watch.last()).toEqual([])
  const seen = await watch.look()
  expect(seen).toEqual([
    { server: 'ns1.host.example', isUp: true },
    { server: 'ns2.host.example', isUp: false },
  ])
  expect([watch.last(), asked]).toEqual([seen, 2])
  expect(describeSilent(seen)).toContain('ns2.host.example does not answer')

  silent.clear()
  expect(await watch.look()).toBe(seen)
  time = 31_000
  expect(describeSilent(await watch.look())).toBeUndefined()
  silent.add('192.0.2.1').add('192.0.2.2')
  time = 62_000
  expect(describeSilent(await watch.look())).toContain('no customer domain is found')
})

test('without name servers nothing is asked', async () => {
  const watch = watchNameServers(async () => expect.fail(), [], silentLog)
  expect([await watch.look(), describeSilent([])]).toEqual([[], undefined])
})
