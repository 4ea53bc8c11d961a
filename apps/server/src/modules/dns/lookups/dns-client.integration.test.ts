import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode } from 'dns-packet'
import { expect, test } from 'vitest'
import { ask } from './dns-client.ts'
import { isServedBy } from './see-served.ts'

const question = { name: 'lagoon.example', type: 'TXT' } as const
const formatError = 1

/** A name server that answers a format error to whatever carries EDNS; with `knowsNothing` to everything. */
async function startOld({ knowsNothing = false, repeats = true } = {}) {
  const socket = createSocket('udp4')
  const asked: boolean[] = []
  socket.on('message', (bytes, from) => {
    const query = decode(bytes)
    const hasEdns = (query.additionals ?? []).some(({ type }) => type === 'OPT')
    asked.push(hasEdns)
    const isRefused = hasEdns || knowsNothing
    const answer = encode({
      type: 'response',
      id: query.id ?? 0,
      flags: isRefused ? formatError : 0,
      questions: isRefused && !repeats ? [] : [question],
      answers: isRefused ? [] : [{ ...question, ttl: 60, data: 'here' }],
    })
    socket.send(answer, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { address, port } = socket.address()
  return { address, port, asked, [Symbol.dispose]: () => void socket.close() }
}

test.each([true, false])(
  'a server that does not know EDNS is asked without it (question repeated: %s)',
  async (repeats) => {
    using server = await startOld({ repeats })
    const reply = await ask(server, question, { recursive: false })
    expect(reply).toMatchObject({ code: 0, answers: [{ type: 'TXT', name: 'lagoon.example' }] })
    expect(server.asked).toEqual([true, false])
  },
)

test('one that understands neither is asked once more and no further', async () => {
  using server = await startOld({ knowsNothing: true })
  expect(await ask(server, question, { recursive: false })).toMatchObject({ code: formatError })
  expect(server.asked).toEqual([true, false])
})

test('a zone is served when all name servers that answer have it, and at least one does', () => {
  const has = { server: 'ns1', answered: true, isServed: true }
  const old = { server: 'ns2', answered: true, isServed: false }
  const dead = { server: 'ns3', answered: false, isServed: false }
  expect([[has], [has, dead], [dead, has]].map(isServedBy)).toEqual([true, true, true])
  expect([[], [dead], [has, old], [old, dead], [has, old, dead]].map(isServedBy)).toEqual(Array(5).fill(false))
})
