/**
 * The calls of the personal server but for the drive's (contract, `personal-server.ts`): status, activation, signing
 * in.
 */
import type { IncomingMessage } from 'node:http'
import { deviceOf } from '@atoll/contract/device-of'
import {
  ActivationBegin,
  ActivationFinish,
  type Health,
  SessionOpen,
  type SessionState,
  type Sessions as SessionsShown,
  type SignInPlace,
  type Status,
} from '@atoll/contract/personal-server'
import type { Activation } from '../activation/activation.ts'
import { matchesPassword } from '../activation/password-hash.ts'
import { createTries } from '../activation/tries.ts'
import { HttpProblem } from '../kernel/problem.ts'
import type { StateStore } from '../kernel/state-store.ts'
import { type Exchange, getQuery, readBody, readJson, sendJson, sendNothing, unknownVisitor } from './exchange.ts'
import { findKnownBrowser, knownBrowserCookie } from './known-browsers.ts'
import type { RouteTable } from './router.ts'
import type { Sessions } from './sessions.ts'

/** Below the idle time-outs of the edge and of browsers. */
const longPollMs = 20_000
const signedOut: SessionState = { name: null, did: null, expiresAt: null }

export interface ServerRoutesOptions {
  store: StateStore
  activation: Activation
  sessions: Sessions
  bootId: string
  /** The control plane's time, ms. */
  now(): number
}

export function serverRoutes({ store, activation, sessions, bootId, now }: ServerRoutesOptions): RouteTable {
  const tries = createTries({ perVisitor: 10, overall: 100, windowMs: 15 * 60_000 })

  function readStatus(): Status {
    const { install, account, config, handoverNonce, release } = store.current
    const steps = install.steps.map(({ step, state }) => ({ step, state })) // lines are the owner's, in the console
    return {
      active: account !== null,
      resetting: account !== null && handoverNonce !== null,
      product: config?.product ?? 'Personal server',
      clusterName: config?.clusterName ?? null,
      terminusName: config?.owner.terminusName ?? null,
      install: { state: install.state, reason: install.reason, steps },
      version: release?.version ?? null,
      walletUrl: config?.walletUrl ?? null,
      consoleUrl: config?.consoleUrl ?? null,
      now: now(),
    }
  }

  async function openSession({ req, res, visitor }: Exchange): Promise<void> {
    const { cookie, expiresAt } = await sessions.open(isSecure(store), placeOf(req, visitor))
    const { account } = store.current
    res.setHeader('set-cookie', account ? [cookie, knownBrowserCookie(account.passwordHash, isSecure(store))] : cookie)
    sendJson(res, 200, { name: ownerName(store), did: ownerDid(store), expiresAt } satisfies SessionState)
  }

  async function signIn(exchange: Exchange): Promise<void> {
    const { name, password } = await readBody(exchange.req, SessionOpen)
    const { account } = store.current
    if (!account) throw new HttpProblem(409, 'notActive', 'This server is not active yet.')
    const known = findKnownBrowser(exchange.req, account.passwordHash)
    const visitor = known ?? exchange.visitor
    tries.begin(visitor, known !== undefined)
    // The hash is computed for a wrong name too: the time must not reveal which of the two was wrong.
    const isRight = await matchesPassword(password, account.passwordHash)
    if (!isRight || !isOwner(name, ownerName(store))) {
      await sessions.history.note('wrongPassword', placeOf(exchange.req, exchange.visitor))
      throw new HttpProblem(403, 'wrongPassword', 'The name or the password is wrong.')
    }
    tries.succeed(visitor, known !== undefined)
    await openSession(exchange)
  }

  return {
    'GET /api/status': ({ res }) => sendJson(res, 200, readStatus()),
    'GET /api/health': ({ res }) => sendJson(res, 200, { bootId } satisfies Health),
    'POST /api/activation/begin': async ({ req, res, visitor }) => {
      const { password } = await readBody(req, ActivationBegin)
      sendJson(res, 200, activation.begin(visitor, password))
    },
    'GET /api/activation/state': async ({ res, url }) => {
      const waitMs = url.searchParams.get('wait') === '1' ? longPollMs : 0
      sendJson(res, 200, { approved: await activation.readState(getQuery(url, 'ticket'), waitMs) })
    },
    'OPTIONS /api/activation/approve': ({ res }) => {
      allowAnyOrigin(res)
      res.setHeader('access-control-allow-methods', 'POST')
      res.setHeader('access-control-allow-headers', 'content-type, userid, token')
      res.setHeader('access-control-max-age', '600')
      sendNothing(res)
    },
    'POST /api/activation/approve': async ({ req, res }) => {
      allowAnyOrigin(res)
      // The wallet reads the product's envelope, whatever is wrong: a body that cannot be read is no signature either.
      const body = await readJson(req).catch((error: unknown) => {
        if (error instanceof HttpProblem) return undefined
        throw error
      })
      sendJson(res, 200, await activation.approve(body, localeOf(req)))
    },
    'POST /api/activation/finish': async (exchange) => {
      const { ticket, newPassword } = await readBody(exchange.req, ActivationFinish)
      const isReset = store.current.account !== null
      await activation.finish(ticket, newPassword)
      if (isReset) await sessions.closeAll()
      await openSession(exchange)
    },
    'POST /api/session': signIn,
    'GET /api/session': ({ req, res }) => {
      const expiresAt = sessions.find(req)
      sendJson(
        res,
        200,
        expiresAt === undefined
          ? signedOut
          : ({ name: ownerName(store), did: ownerDid(store), expiresAt } satisfies SessionState),
      )
    },
    'DELETE /api/session': async ({ req, res }) => {
      res.setHeader('set-cookie', await sessions.close(req, isSecure(store)))
      sendNothing(res)
    },
    'GET /api/sessions': ({ req, res }) =>
      sendJson(res, 200, { open: sessions.list(req), history: sessions.history.list() } satisfies SessionsShown),
    'DELETE /api/sessions': async ({ req, res, url }) => {
      if (url.searchParams.has('id')) await sessions.end(getQuery(url, 'id'))
      else await sessions.closeAll(req)
      sendNothing(res)
    },
  }
}

export function placeOf(req: IncomingMessage, visitor: string): SignInPlace {
  return { device: deviceOf(req.headers['user-agent'] ?? ''), network: visitor === unknownVisitor ? null : visitor }
}

/** The wallet runs elsewhere and sends no cookie; what it posts proves itself by its signature. */
function allowAnyOrigin(res: Exchange['res']): void {
  res.setHeader('access-control-allow-origin', '*')
  res.setHeader('cross-origin-resource-policy', 'cross-origin')
}

export function ownerName(store: StateStore): string {
  return store.current.config?.owner.terminusName ?? ''
}

function ownerDid(store: StateStore): string | null {
  return store.current.config?.owner.did ?? null
}

/** `reef@atoll.test` may be typed whole, or as `reef`; case does not matter in names. */
export function isOwner(typed: string, owner: string): boolean {
  const name = typed.trim().toLowerCase()
  return owner !== '' && (name === owner.toLowerCase() || name === owner.toLowerCase().split('@')[0])
}

function isSecure(store: StateStore): boolean {
  return store.current.config?.publicUrl.startsWith('https:') ?? false
}

function localeOf(req: IncomingMessage): 'en-US' | 'zh-CN' {
  return /^\s*zh\b/i.test(req.headers['accept-language'] ?? '') ? 'zh-CN' : 'en-US'
}
