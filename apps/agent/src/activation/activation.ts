/**
 * Activation: from hand-over to the owner's password.
 *   one-time password right → a ticket with a code for the wallet → the owner's DID signs the code → the ticket is
 *   approved → a new password is set → active, for good.
 * A forgotten password goes the same way again: `rotate` makes a new one-time password, and until the wizard is
 * through the old password goes on opening the server.
 * Tickets live in memory: after a restart of the agent the wizard begins again. A code is good for 120 s and one
 * approval (wire, "Login by QR"), its ticket 15 min longer, so that a person has time to think of a password.
 */
import { randomBytes } from 'node:crypto'
import { errorCatalogue } from '@atoll/contract/api'
import { encodeSignRequest } from '@atoll/contract/identity'
import type { ActivationBegun } from '@atoll/contract/personal-server'
import { clockSkewMs, codes, type Envelope, signInCodeLifetimeMs } from '@atoll/contract/wire'
import { errorMessage } from '@atoll/texts/refusals'
import type { Log } from '../kernel/log.ts'
import { deriveOneTimePassword, matchesOneTimePassword, newNonce } from '../kernel/one-time-password.ts'
import { HttpProblem } from '../kernel/problem.ts'
import type { StateStore } from '../kernel/state-store.ts'
import { ApprovalRefusal, verifyApproval } from './approval.ts'
import { hashPassword } from './password-hash.ts'
import { createTries } from './tries.ts'

const ticketLifetimeMs = 15 * 60_000
/** Only a holder of the one-time password can make tickets; the bound is for a page left reloading. */
const maxTickets = 50

interface Ticket {
  secret: string
  /** `time` of the code, ms. */
  time: number
  isApproved: boolean
  waiting: Set<() => void>
}

export interface Activation {
  /** The password that the console shows; null before hand-over, and once a password has been set. */
  oneTimePassword(): string | null
  /**
   * Makes a new one-time password, once a `taskId`: the owner asked for it. Codes and tickets of the one before end.
   */
  rotate(taskId: string): Promise<void>
  begin(visitor: string, password: string): ActivationBegun
  /** Whether the ticket is approved; waits up to `waitMs` for it. 404 ticketUnknown. */
  readState(ticket: string, waitMs: number): Promise<boolean>
  /** The body that the wallet posted; answered in `locale`. */
  approve(body: unknown, locale: 'en-US' | 'zh-CN'): Promise<Envelope<object>>
  /** Sets the password of the owner and gives its hash; 409 notApproved. */
  finish(ticket: string, newPassword: string): Promise<string>
}

export function createActivation(options: {
  store: StateStore
  agentToken: string
  log: Log
  now?: () => number
  /** ms of a clock that never goes back; tests pass it. */
  monotonicMs?: () => number
}): Activation {
  const { store, agentToken, log, now = Date.now, monotonicMs } = options
  const tickets = new Map<string, Ticket>()
  // 60 random bits are not guessed by any number of visitors: the bound over all only spares the processor, and is
  // high enough that nobody keeps the owner from activating with a handful of addresses.
  const tries = createTries({ perVisitor: 5, overall: 5000, windowMs: 15 * 60_000 }, monotonicMs)

  function oneTimePassword(): string | null {
    const { handoverNonce } = store.current
    return handoverNonce === null ? null : deriveOneTimePassword(agentToken, handoverNonce)
  }

  function getConfig() {
    const { config, account, handoverNonce } = store.current
    if (account && handoverNonce === null)
      throw new HttpProblem(409, 'alreadyActive', 'This server is active already. Sign in instead.')
    if (!config) throw new HttpProblem(409, 'notReady', 'This server is not set up yet.')
    return config
  }

  async function rotate(taskId: string): Promise<void> {
    const { rotatedTask, account } = store.current
    // Before activation there is nothing to reset: the password of the hand-over stands.
    if (rotatedTask === taskId || !account) return
    tickets.clear()
    await store.update({ handoverNonce: newNonce(), rotatedTask: taskId })
    log.info('activation', 'a new one-time password was made')
  }

  function begin(visitor: string, password: string): ActivationBegun {
    const config = getConfig()
    const expected = oneTimePassword()
    if (expected === null) throw new HttpProblem(409, 'notReady', 'This server is not set up yet.')
    tries.begin(visitor)
    if (!matchesOneTimePassword(password, expected))
      throw new HttpProblem(403, 'wrongPassword', 'This is not the one-time password that the console shows.')
    tries.succeed(visitor)

    removeExpired()
    const ticket = randomBytes(32).toString('base64url')
    const [secret, time] = [randomBytes(16).toString('hex'), now()]
    tickets.set(ticket, { secret, time, isApproved: false, waiting: new Set() })
    // The event is signed too: the signature must not pass as a sign-in to the console.
    const body = { event: 'activate_os', did: config.owner.did, secret, time }
    const signRequest = encodeSignRequest({
      topic: 'sign',
      event: 'activate_os',
      message: {
        // Redundant fields are left out: each character makes the code denser and harder to scan.
        id: randomBytes(6).toString('base64url'),
        data: { secret, time },
        sign: { callback_url: `${config.publicUrl.replace(/\/+$/, '')}/api/activation/approve`, sign_body: body },
      },
    })
    return { ticket, signRequest, secret, expiresAt: time + signInCodeLifetimeMs }
  }

  function removeExpired(): void {
    for (const [name, ticket] of tickets) if (isOver(ticket) || tickets.size >= maxTickets) tickets.delete(name)
  }

  function isOver(ticket: Ticket): boolean {
    return now() > ticket.time + signInCodeLifetimeMs + ticketLifetimeMs
  }

  function getTicket(name: string): Ticket {
    const ticket = tickets.get(name)
    if (!ticket || isOver(ticket))
      throw new HttpProblem(404, 'ticketUnknown', 'This activation has expired. Begin again.')
    return ticket
  }

  async function readState(name: string, waitMs: number): Promise<boolean> {
    const ticket = getTicket(name)
    if (ticket.isApproved || waitMs === 0) return ticket.isApproved
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, waitMs)
    ticket.waiting.add(resolve)
    await promise
    clearTimeout(timer)
    ticket.waiting.delete(resolve)
    return ticket.isApproved
  }

  async function approve(body: unknown, locale: 'en-US' | 'zh-CN'): Promise<Envelope<object>> {
    try {
      const ownerDid = getConfig().owner.did
      const signed = await verifyApproval(body, { ownerDid, now: now() })
      // From here to the end nothing awaits: two approvals of one code cannot both pass.
      const ticket = [...tickets.values()].find(({ secret }) => secret === signed.secret)
      if (!ticket || ticket.time !== signed.time) throw new ApprovalRefusal('codeExpired')
      if (ticket.isApproved) throw new ApprovalRefusal('codeUsed')
      if (now() > ticket.time + signInCodeLifetimeMs + clockSkewMs) throw new ApprovalRefusal('codeExpired')
      ticket.isApproved = true
      for (const wake of ticket.waiting) wake()
      log.info('activation', 'approved by the owner')
      return { code: codes.ok, message: 'OK', data: {} }
    } catch (error) {
      if (error instanceof HttpProblem) return { code: codes.conflict, message: error.message }
      if (!(error instanceof ApprovalRefusal)) throw error
      log.warn('activation', `an approval was refused: ${error.key}`)
      return { code: errorCatalogue[error.key].code, message: errorMessage(error.key, locale, error.params) }
    }
  }

  async function finish(name: string, newPassword: string): Promise<string> {
    getConfig()
    if (!getTicket(name).isApproved)
      throw new HttpProblem(409, 'notApproved', 'The owner has not approved this in the wallet yet.')
    const passwordHash = await hashPassword(newPassword)
    // Hashing took a while: only one of two finishes may set the password.
    getConfig()
    tickets.clear()
    await store.update({
      account: { passwordHash, activatedAt: store.current.account?.activatedAt ?? now() },
      handoverNonce: null,
    })
    log.info('activation', 'active')
    return passwordHash
  }

  return { oneTimePassword, rotate, begin, readState, approve, finish }
}
