/**
 * The time of another user's order, alone and while free accounts keep the server waiting: domains whose name servers
 * never answer, and code mails to a mail server that never greets.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sendSetEmailCode } from '@atoll/contract/accounts'
import { domainAdd, domainCheck } from '@atoll/contract/domains'
import { createApiClient, createScriptedWallet, openChangeStream, startServer } from '@atoll/testkit'
import { createAndDestroy } from '../create-to-running.ts'
import { median, type Ratio } from '../figures.ts'
import { signUp } from '../sign-up.ts'

const rounds = 5
/** 144 looks at DNS, as once delayed an order from 5.8 to 84 s. */
const freeAccounts = 48
const domainsEach = 3

/** Hears and never answers. */
async function openSilence() {
  const names = createSocket('udp4')
  names.bind(0, '127.0.0.1')
  await once(names, 'listening')
  const sockets = new Set<Socket>()
  const mails = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  mails.listen(0, '127.0.0.1')
  await once(mails, 'listening')
  const { port } = mails.address() as AddressInfo // a TCP server that listens
  return {
    resolver: `Silent=127.0.0.1@${names.address().port}`,
    mailUrl: `smtp://127.0.0.1:${port}`,
    /** Connections that wait for a greeting. */
    waiting: () => sockets.size,
    [Symbol.dispose]() {
      names.close()
      for (const socket of sockets) socket.destroy()
      mails.close()
    },
  }
}

export async function measureWaitingWork(): Promise<Ratio[]> {
  using silence = await openSilence()
  await using server = await startServer({
    env: {
      ATOLL_SIGN_IN_RATE: '1000000',
      ATOLL_RATE_FACTOR: '1000',
      ATOLL_VCPU_QUOTA: '1000',
      ATOLL_LOG_LEVEL: 'error',
      ATOLL_RESOLVERS: silence.resolver,
      ATOLL_SMTP_URL: silence.mailUrl,
    },
  })
  const { api, session } = await signUp(server.url, 'stranger')
  await using changes = await openChangeStream(server.url, session)
  const measure = async () => {
    const taken: number[] = []
    for (let round = 0; round < rounds; round += 1) taken.push((await createAndDestroy(api, changes)).ms)
    return median(taken)
  }
  await createAndDestroy(api, changes)
  const alone = await measure()
  for (let n = 0; n < freeAccounts; n += 1) {
    // Without an ID: who has one cannot link a domain.
    const wallet = createScriptedWallet()
    await wallet.register(server.url)
    const free = createApiClient(server.url, await wallet.signIn(server.url))
    for (let m = 0; m < domainsEach; m += 1) {
      const domain = `d${m}-${n}.example`
      await free.ask(domainAdd, { domain })
      await free.ask(domainCheck, { domain })
    }
    await free.ask(sendSetEmailCode, { email: `free${n}@dead.example` })
  }
  const flooded = await measure()
  return [
    {
      name: "a stranger's order under a flood of work that waits for silent servers, times alone",
      value: flooded / alone,
      target: { atMost: 1.5 },
      from: `${flooded.toFixed(0)} against ${alone.toFixed(0)} ms, with ${freeAccounts * domainsEach} domains and ${freeAccounts} mails`,
    },
  ]
}
