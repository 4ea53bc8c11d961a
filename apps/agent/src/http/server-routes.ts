/**
 * The calls of the personal server but for the drive's (contract, `personal-server.ts`): status, activation, signing
 * in.
 */
import type { IncomingMessage } from 'node:http'
import {
  ActivationBegin,
  ActivationFinish,
  type Health,
  SessionOpen,
  type SessionState,
  type Sessions as SessionsShown,
  type Status,
} from '@atoll/contract/personal-server'
import type { Activation } from '../activation/activation.ts'
import { HttpProblem } from '../kernel/problem.ts'
import type { StateStore } from '../kernel/state-store.ts'
import { type Exchange, getQuery, readBody, readJson, sendJson, sendNothing } from './exchange.ts'
import { knownBrowserCookie } from './known-browsers.ts'
import { type OwnerPassword, ownerName, placeOf } from './owner-password.ts'
import type { RouteTable } from './router.ts'
import type { Sessions } from './sessions.ts'

/** Below the idle time-outs of the edge and of browsers. */
const longPollMs = 20_000
const signedOut: SessionState = { name: null, did: null, expiresAt: null }

export interface ServerRoutesOptions {
  store: StateStore
  activation: Activation
  sessions: Sessions
  ownerPassword: OwnerPassword
  bootId: string
  /** The control plane's time, ms. */
  now(): number
}

export function serverRoutes(options: ServerRoutesOptions): RouteTable {
  const { store, activation, sessions, ownerPassword, bootId, now } = options

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

  /** `ownerHash`: of the password that was right, which may have changed meanwhile. */
  async function openSession({ req, res, visitor }: Exchange, ownerHash: string): Promise<void> {
    const { cookie, expiresAt } = await sessions.open(isSecure(store), placeOf(req, visitor), ownerHash)
    res.setHeader('set-cookie', [cookie, knownBrowserCookie(ownerHash, isSecure(store))])
    sendJson(res, 200, { name: ownerName(store), did: ownerDid(store), expiresAt } satisfies SessionState)
  }

  async function signIn(exchange: Exchange): Promise<void> {
    const { name, password } = await readBody(exchange.req, SessionOpen)
    await openSession(exchange, await ownerPassword.check(exchange, password, name))
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
      const ownerHash = await activation.finish(ticket, newPassword)
      if (isReset) await sessions.closeAll()
      await openSession(exchange, ownerHash)
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

/** The wallet runs elsewhere and sends no cookie; what it posts proves itself by its signature. */
function allowAnyOrigin(res: Exchange['res']): void {
  res.setHeader('access-control-allow-origin', '*')
  res.setHeader('cross-origin-resource-policy', 'cross-origin')
}

function ownerDid(store: StateStore): string | null {
  return store.current.config?.owner.did ?? null
}

function isSecure(store: StateStore): boolean {
  return store.current.config?.publicUrl.startsWith('https:') ?? false
}

function localeOf(req: IncomingMessage): 'en-US' | 'zh-CN' {
  return /^\s*zh\b/i.test(req.headers['accept-language'] ?? '') ? 'zh-CN' : 'en-US'
}
