import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import type { Notice } from './decide.ts'
import { pingOnce } from './heartbeat-ping.ts'
import { createTeller } from './tell.ts'
import { type Condition, looksUntilEnd, watchOnce } from './watch.ts'

const harness = useDatabase()

/** A receiver of requests; their bodies, and what it answers from now on. */
async function receive() {
  const bodies: string[] = []
  const answers = { status: 200 }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    response.writeHead(answers.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/`, bodies, answers }
}

test('processes that look at once tell once, by mail and webhook, and again what nobody received', async () => {
  const webhook = await receive()
  const mails: { to: string; subject: string; text: string }[] = []
  let isMailServerAway = false
  const tell = createTeller({
    log: silentLog,
    operatorEmail: 'operator@atoll.test',
    operatorWebhook: webhook.url,
    product: 'Atoll',
    publicUrl: 'https://console.atoll.test',
    async sendMail(mail) {
      if (isMailServerAway) throw new Error('no mail server')
      mails.push(mail)
    },
  })
  let problem: string | undefined = 'no job has run for 70 s'
  const conditions: Condition[] = [
    { name: 'worker', severity: 'critical', find: async () => problem },
    { name: 'disk', severity: 'critical', find: async () => undefined },
    { name: 'vault', severity: 'warning', find: async () => Promise.reject(new Error('it does not answer')) },
  ]
  const wells = new Map<string, number>()
  const look = () => {
    const clock = { now: () => new Date('2026-03-01T10:00:00Z') }
    return watchOnce({ db: harness.db, clock, log: silentLog, conditions, host: 'hel-1', wells, tell })
  }
  await Promise.all([look(), look(), look()])
  await look()
  expect(mails).toEqual([
    {
      to: 'operator@atoll.test',
      subject: 'Atoll critical: worker',
      text: expect.stringMatching(/^worker \(critical, since 2026-03-01T10:00Z\)\n {2}no job has run for 70 s/),
    },
  ])
  expect(webhook.bodies.map((body) => JSON.parse(body) as { alarms: Notice[] })).toMatchObject([
    { product: 'Atoll', alarms: [{ name: 'worker', state: 'appeared' }] },
  ])

  // One good look is no end yet, and what comes back then is no new beginning.
  problem = undefined
  await look()
  problem = 'no job has run for 70 s'
  await look()
  problem = undefined
  for (let looks = 1; looks < looksUntilEnd; looks += 1) await look()
  expect(mails).toHaveLength(1)
  isMailServerAway = true
  webhook.answers.status = 500
  await expect(look()).rejects.toThrow('could not be told')
  webhook.answers.status = 200
  await look()
  await look()
  expect(webhook.bodies).toHaveLength(3)
  expect(JSON.parse(webhook.bodies[2] ?? '')).toMatchObject({ alarms: [{ name: 'worker', state: 'ended' }] })
})

test('a full disk of one machine is told once while others have room, and ended by that machine alone', async () => {
  const told: string[] = []
  const full = new Set(['hel-1'])
  const wells = new Map(['hel-1', 'hel-2'].map((host) => [host, new Map<string, number>()]))
  const look = (host: string) =>
    watchOnce({
      wells: wells.get(host) ?? new Map(),
      db: harness.db,
      clock: { now: () => new Date('2026-03-01T10:00:00Z') },
      log: silentLog,
      host,
      conditions: [
        {
          name: 'disk',
          severity: 'critical',
          isOfMachine: true,
          find: async () => (full.has(host) ? 'full' : undefined),
        },
      ],
      tell: async (notices) => void told.push(...notices.map(({ name, state }) => `${name} ${state}`)),
    })
  for (const host of ['hel-1', 'hel-2', 'hel-1', 'hel-2']) await look(host)
  full.clear()
  for (let looks = 0; looks < looksUntilEnd; looks += 1)
    for (const host of ['hel-2', 'hel-1', 'hel-2']) await look(host)
  expect(told).toEqual(['disk on hel-1 appeared', 'disk on hel-1 ended'])
})

test('the heartbeat is asked while nothing is wrong, and not otherwise', async () => {
  const receiver = await receive()
  let problem: string | undefined
  const ping = () => pingOnce(receiver.url, { log: silentLog, findProblem: async () => problem })
  await ping()
  expect(receiver.bodies).toHaveLength(1)
  problem = 'no job has run for 70 s'
  await ping()
  expect(receiver.bodies).toHaveLength(1)
  problem = undefined
  receiver.answers.status = 404
  await expect(ping()).rejects.toThrow('answered 404')
})
