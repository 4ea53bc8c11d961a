/**
 * Calls that once made everybody wait, from one network: wrong passwords of invitations, IDs of two letters, mails to
 * aliases of one mailbox and rows of the audit log, of free accounts.
 */
import { once } from 'node:events'
import http from 'node:http'
import { type SignedIn, sendSetEmailCode } from '@atoll/contract/accounts'
import { metricsTokenMake } from '@atoll/contract/observe'
import { createScriptedWallet } from '@atoll/testkit'
import { serveFlood } from './under-flood.ts'

export interface CallFloodSetup {
  origin: string
  network: string
}

const { origin, network }: CallFloodSetup = JSON.parse(process.argv[2] ?? '')
/** Of them all; three times as many as once made everybody wait. */
const perSecond = 100
const freeAccounts = 3
const agent = new http.Agent({ keepAlive: true, maxSockets: 32 })

interface Ask {
  path: string
  body: () => object
  session?: SignedIn
}

async function post({ path, body, session }: Ask): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': network,
    ...(session && { userid: session.userid, token: session.token }),
  }
  const request = http.request(`${origin}${path}`, { method: 'POST', agent, headers })
  request.end(JSON.stringify(body()))
  const [answer] = await once(request, 'response')
  answer.resume()
  await once(answer, 'end')
}

const wallet = createScriptedWallet()
await wallet.register(origin)
const times = () => ({ nbf: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 600, iss: wallet.kid })
const wrongPassword = wallet.sign({
  id: 'x',
  address: '',
  member_name: 'any',
  member_password: 'WRONGPASSWRD',
  org_domain: 'nobody.example',
  ...times(),
})
const asks: Ask[] = [
  { path: '/join_organization', body: () => ({ jws: wrongPassword }) },
  {
    path: '/bind_name',
    body: () => ({
      jws: wallet.sign({ name: `${letter()}${letter()}@atoll.test`, did: wallet.kid, time: Date.now() }),
    }),
  },
]
let serial = 0
const letter = () => 'abcdefghijklmnopqrstuvwxyz'[serial++ % 26] ?? 'a'
for (let n = 0; n < freeAccounts; n += 1) {
  const person = createScriptedWallet()
  await person.register(origin)
  const session = await person.signIn(origin)
  asks.push(
    { path: sendSetEmailCode.path, body: () => ({ email: `me+${serial++}@dead.example` }), session },
    { path: metricsTokenMake.path, body: () => ({}), session },
  )
}

let [sent, underWay] = [0, 0]
let timer: NodeJS.Timeout | undefined
let idle: (() => void) | undefined

/** At its pace, however late the answers are, as far as connections go. */
function flow(): void {
  const begunAt = performance.now()
  let begun = 0
  timer = setInterval(() => {
    const due = ((performance.now() - begunAt) / 1000) * perSecond
    for (; begun < due; begun += 1) {
      const ask = asks[begun % asks.length]
      if (!ask || underWay >= 256) continue
      underWay += 1
      sent += 1
      void post(ask).finally(() => {
        underWay -= 1
        if (underWay === 0) idle?.()
      })
    }
  }, 5)
}

serveFlood({
  begin() {
    sent = 0
    flow()
  },
  async end() {
    clearInterval(timer)
    if (underWay > 0) await new Promise<void>((resolve) => (idle = resolve))
    return `${sent} calls at ${perSecond} a second`
  },
})
