/** The certification authority behind an ACME directory, asked with acme-client. */
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import acme from 'acme-client'
import type { Clock } from '../../../platform/clock.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findAccountUrl, forgetAccount, keepAccount, registerAccount } from './account-store.ts'
import { type Authorization, type Ca, CaFault, type CaOrder, isCaFault } from './ca.ts'
import { certificateId } from './certificate-id.ts'
import { renewalInfo } from './renewal-info.ts'
import { readRetryAfter } from './retry-after.ts'

export interface AcmeConfig {
  directory: string
  email?: string | undefined
  /** PEM file of the root that the directory is trusted by. */
  caFile?: string | undefined
  eab?: { kid: string; key: string } | undefined
}

/** Until an answer is whole, ms. */
const timeoutMs = 30_000
const longestDetail = 600

export interface AcmeDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  config: AcmeConfig
}

export function createAcmeCa({ db, clock, sealer, config }: AcmeDeps): Ca {
  let made: Promise<acme.Client> | undefined
  // The library has one client of HTTP for all; what fails is tried again by our own schedule.
  acme.axios.defaults.timeout = timeoutMs
  Object.assign(acme.axios.defaults, { acmeSettings: { retryMaxAttempts: 0, retryDefaultDelay: 5 } })
  if (config.caFile !== undefined)
    acme.axios.defaults.httpsAgent = new Agent({ ca: readFileSync(config.caFile), keepAlive: true })

  /** The account is created at the first order; a concurrent second call finds the first one's key. */
  async function openClient(): Promise<acme.Client> {
    const key = String(await acme.crypto.createPrivateEcdsaKey())
    const kept = await keepAccount(db, {
      directory: config.directory,
      sealedKey: sealer.seal('key at the authority', key),
      at: clock.now(),
    })
    const client = new acme.Client({
      directoryUrl: config.directory,
      accountKey: sealer.open('key at the authority', kept.sealed_key),
      ...(kept.url !== null && { accountUrl: kept.url }),
      ...(config.eab && { externalAccountBinding: { kid: config.eab.kid, hmacKey: config.eab.key } }),
    })
    if (kept.url !== null) return client
    await client.createAccount({
      termsOfServiceAgreed: true,
      ...(config.email !== undefined && { contact: [`mailto:${config.email}`] }),
    })
    await registerAccount(db, config.directory, client.getAccountUrl())
    return client
  }

  async function ask<T>(work: (client: acme.Client) => Promise<T>): Promise<T> {
    try {
      made ??= openClient()
      return await work(await made)
    } catch (error) {
      // The account or the cached directory may be the cause: the next request opens a new client.
      made = undefined
      if (isCaFault(error) && error.isAccountGone) await forgetAccount(db, config.directory)
      throw toFault(error) ?? error
    }
  }

  const renewals = renewalInfo(config.directory, clock)

  // The library wants the whole order where it only uses the address.
  const at = (url: string) => ({ url }) as acme.Order

  return {
    findAccount: () => findAccountUrl(db, config.directory),
    order: (names, replaces) =>
      ask(async (client) => {
        const identifiers = names.map((value) => ({ type: 'dns' as const, value }))
        const id = replaces === undefined ? undefined : await renewals.idOf(replaces)
        if (id === undefined) return (await client.createOrder({ identifiers })).url
        try {
          // The library passes on what it does not know (RFC 9773, 5).
          const renewal: Parameters<acme.Client['createOrder']>[0] & { replaces: string } = {
            identifiers,
            replaces: id,
          }
          return (await client.createOrder(renewal)).url
        } catch (error) {
          // That one was replaced already, or it is not known here any more: it is an order like any.
          if (!isCaFault(error) || (error.kind !== 'caRefused' && error.kind !== 'orderGone')) throw error
          return (await client.createOrder({ identifiers })).url
        }
      }),
    async renewalOf(chain) {
      try {
        return await renewals.read(chain)
      } catch (error) {
        throw toFault(error) ?? error
      }
    },
    read: (url, kind) =>
      ask(async (client) => {
        const order = await client.getOrder(at(url))
        // The authorizations of a proven order need not be read again.
        const found =
          order.status === 'pending' || order.status === 'invalid' ? await client.getAuthorizations(order) : []
        const authorizations = await Promise.all(found.map((one) => readAuthorization(client, one, kind)))
        return { status: order.status, authorizations, error: detailOf(order.error) } satisfies CaOrder
      }),
    // Its address is all that is used.
    answer: (url) => ask(async (client) => void (await client.completeChallenge({ url } as never))),
    finalize: (url, names, key) =>
      ask(async (client) => {
        // Without a common name: it may have 64 characters (RFC 5280), and nobody reads it any more.
        const [, csr] = await acme.crypto.createCsr({ altNames: [...names] }, key)
        await client.finalizeOrder(await client.getOrder(at(url)), csr)
      }),
    download: (url) => ask(async (client) => await client.getCertificate(await client.getOrder(at(url)))),
  }
}

async function readAuthorization(
  client: acme.Client,
  found: acme.Authorization,
  kind: 'dns-01' | 'http-01',
): Promise<Authorization> {
  const challenge = found.challenges.find(({ type }) => type === kind)
  const failed = found.challenges.find(({ error }) => error !== undefined)
  const status = found.status === 'pending' || found.status === 'valid' ? found.status : 'invalid'
  return {
    host: found.identifier.value,
    status,
    error: detailOf(failed?.error),
    isForbidden: isCaa(failed?.error),
    challenge: challenge && {
      url: challenge.url,
      token: challenge.token,
      answer: await client.getChallengeKeyAuthorization(challenge),
      isAnswered: challenge.status !== 'pending',
    },
  }
}

/** The authority's description of an error (RFC 7807). */
function detailOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('detail' in error)) return undefined
  return String(error.detail).slice(0, longestDetail)
}

/** Whether an error is about CAA records (RFC 8555, 6.7). */
function isCaa(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'type' in error && String(error.type).endsWith(':caa')
}

/**
 * Turns an error answer of the authority (RFC 8555, 6.7) into a fault. The library throws only its sentence; here its
 * code is still known. A bad nonce is left to the library, which retries.
 */
acme.axios.interceptors.response.use((response) => {
  const { status, headers, data } = response
  if (status < 400) return response
  const type = String((data as { type?: unknown } | null)?.type ?? '')
  if (type.endsWith(':badNonce')) return response
  const detail = detailOf(data) ?? `HTTP ${status}`
  if (status === 429 || type.endsWith(':rateLimited'))
    throw new CaFault('caLimited', detail, readRetryAfter(headers['retry-after']))
  if (status >= 500) throw new CaFault('caUnreachable', detail)
  if (type.endsWith(':accountDoesNotExist')) throw new CaFault('orderGone', detail, undefined, { isAccountGone: true })
  if (isCaa(data)) throw new CaFault('caaForbids', detail)
  throw new CaFault(status === 404 ? 'orderGone' : 'caRefused', detail)
})

/** The authority could not be asked; undefined: the mistake is ours. */
function toFault(error: unknown): CaFault | undefined {
  if (isCaFault(error)) return error
  if (!(error instanceof Error)) return undefined
  // acme-client 5.4.0 stumbles where no answer came at all: it reads what is not there, and the reason is lost.
  if (error instanceof TypeError && error.stack?.includes('acme-client/src/axios.js'))
    return new CaFault('caUnreachable', 'no answer came', undefined, { cause: error })
  if (!('isAxiosError' in error)) return undefined
  const message = error.message === '' && 'code' in error ? String(error.code) : error.message
  return new CaFault('caUnreachable', message.slice(0, longestDetail), undefined, { cause: error })
}
