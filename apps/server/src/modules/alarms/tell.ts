/** Notices as a mail of plain text and as JSON for a webhook. */
import type { Log } from '../../platform/log.ts'
import type { Notice } from './decide.ts'

/** ms */
const webhookWithin = 10_000

interface TellDeps {
  log: Log
  operatorEmail: string | undefined
  operatorWebhook: string | undefined
  product: string
  publicUrl: string
  /** Sends at once: jobs may be what does not run. */
  sendMail(mail: { to: string; subject: string; text: string }): Promise<void>
}

/** Throws when nobody who is named could be told. */
export function createTeller(deps: TellDeps): (notices: readonly Notice[]) => Promise<void> {
  const { log, operatorEmail, operatorWebhook, product, publicUrl } = deps
  return async (notices) => {
    const ways: Promise<void>[] = []
    if (operatorEmail !== undefined) ways.push(deps.sendMail({ to: operatorEmail, ...mailOf(notices, deps) }))
    if (operatorWebhook !== undefined) ways.push(post(operatorWebhook, { product, url: publicUrl, alarms: notices }))
    const results = await Promise.allSettled(ways)
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    for (const err of failures) log.error({ err }, 'the operator could not be told in one of the ways')
    if (failures.length === results.length && failures.length > 0)
      throw new Error('the operator could not be told', { cause: failures[0] })
  }
}

export function mailOf(
  notices: readonly Notice[],
  { product, publicUrl }: Pick<TellDeps, 'product' | 'publicUrl'>,
): { subject: string; text: string } {
  const words = { appeared: '', 'goes on': 'still: ', ended: 'over: ' }
  const [first] = notices
  const more = notices.length > 1 ? ` and ${notices.length - 1} more` : ''
  const subject = first
    ? `${product} ${first.state === 'ended' ? 'is well again' : first.severity}: ${first.name}${more}`
    : product
  const lines = notices.map(
    ({ name, severity, state, text, since }) =>
      `${words[state]}${name} (${severity}, since ${since.toISOString().slice(0, 16)}Z)\n  ${text}`,
  )
  return { subject, text: `${lines.join('\n\n')}\n\n${publicUrl}\n` }
}

async function post(url: string, body: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(webhookWithin),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the webhook answered ${answer.status}`)
}
