/**
 * The sandbox's webhooks: written with the change they report, signed when they are sent, and sent again until our own
 * endpoint takes them or a day has passed. Signed as Stripe signs: `t=seconds,v1=HMAC-SHA256 of "t.body"`.
 */
import { createHmac } from 'node:crypto'
import { request } from 'undici'
import { z } from 'zod'
import type { Clock } from '../../../../platform/clock.ts'
import { equalSecrets, newId } from '../../../../platform/crypto.ts'
import type { Trx } from '../../../../platform/db/index.ts'
import { defineJob, enqueueJob, type Job } from '../../../../platform/jobs/index.ts'
import type { GatewayEvent, Webhook } from '../../gateway/gateway.ts'

export const signatureHeader = 'atoll-sandbox-signature'
const deliverJob = 'sandbox.deliver'
/** How old a signature may be, s. */
const tolerance = 300
const answerTimeoutMs = 10_000
/** Attempts wait e^n seconds: eleven of them span a day. */
const mostAttempts = 12

const Body = z.object({
  id: z.string().max(64),
  about: z.object({ kind: z.enum(['payment', 'setup', 'movements']), id: z.string().max(64) }),
})
type Body = z.infer<typeof Body>

/** Has the webhook sent once `trx` commits, or at `runAt`. */
export async function enqueueEvent(trx: Trx, about: Body['about'], runAt?: Date): Promise<void> {
  const options = { maxAttempts: mostAttempts, ...(runAt && { runAt }) }
  await enqueueJob(trx, deliverJob, { id: newId('sb'), about } satisfies Body, options)
}

export function sign(body: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/** Undefined for what was not signed with `secret` within the last minutes. */
export function verify({ headers, body, now }: Webhook, secret: string): GatewayEvent | undefined {
  const header = headers[signatureHeader]
  if (typeof header !== 'string') return undefined
  const [, seconds = ''] = /^t=(\d{1,12}),/.exec(header) ?? []
  const signedAt = new Date(Number(seconds) * 1000)
  if (seconds === '' || Math.abs(now.getTime() - signedAt.getTime()) > tolerance * 1000) return undefined
  const text = body.toString('utf8')
  if (!equalSecrets(header, sign(text, secret, signedAt))) return undefined
  const parsed = Body.safeParse(JSON.parse(text)) // signed by ourselves, so it is JSON
  return parsed.success ? parsed.data : undefined
}

/** One attempt at one webhook; the queue retries what was not taken. */
export function sandboxDeliver(deps: {
  clock: Clock
  webhookUrl: string
  secret: string
  /** Whom it is about, as the gateway knows them. */
  customerOf(about: Body['about']): Promise<string | undefined>
}): Job {
  return defineJob({
    name: deliverJob,
    lane: 'webhooks',
    accountOf: ({ about }) => deps.customerOf(about),
    waits: 'careful',
    payload: Body,
    maxAttempts: mostAttempts,
    async run(event, { signal }) {
      const body = JSON.stringify(event)
      const answer = await request(deps.webhookUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [signatureHeader]: sign(body, deps.secret, deps.clock.now()) },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
      })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`the webhook endpoint answered ${answer.statusCode}`)
    },
  })
}
