import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import acme from 'acme-client'
import type { Ca } from '../../certificates/acme/ca.ts'
import { reachBoundary } from '../../clusters/testing/boundary-pool.ts'

interface KeptOrder {
  names: readonly string[]
  answered: readonly string[]
  chain: string | null
}

/**
 * A certification authority in a folder, so that every process of a test uses the same one: it accepts every answered
 * challenge. Its certificates expire the moment they are made, as the means at hand can make no others; the clock of
 * its customers is behind by more than that.
 */
export function createFolderCa(folder: string): Ca {
  mkdirSync(folder, { recursive: true })
  const read = (url: string): KeptOrder => JSON.parse(readFileSync(join(folder, url), 'utf8'))
  const write = (url: string, order: KeptOrder) => writeFileSync(join(folder, url), JSON.stringify(order))
  const tokenOf = (url: string, name: string) => createHash('sha256').update(`${url} ${name}`).digest('hex')
  return {
    findAccount: async () => undefined,
    renewalOf: async () => undefined,
    async order(names) {
      await reachBoundary()
      const url = `order-${createHash('sha256').update(names.join()).digest('hex').slice(0, 12)}-${process.pid}-${serial()}`
      write(url, { names, answered: [], chain: null })
      return url
    },
    async read(url) {
      const { names, answered, chain } = read(url)
      const authorizations = names.map((name) => {
        const token = tokenOf(url, name)
        const isAnswered = answered.includes(token)
        const challenge = { url: `${url} ${token}`, token, answer: token, isAnswered }
        return { host: name.replace('*.', ''), status: isAnswered ? 'valid' : 'pending', challenge } as const
      })
      const isReady = answered.length === names.length
      return { status: chain !== null ? 'valid' : isReady ? 'ready' : 'pending', authorizations }
    },
    async answer(challenge) {
      await reachBoundary()
      const [url = '', token = ''] = challenge.split(' ')
      const order = read(url)
      write(url, { ...order, answered: [...new Set([...order.answered, token])] })
    },
    async finalize(url, names, key) {
      await reachBoundary()
      const order = read(url)
      if (order.chain !== null) throw new Error(`${url} was finalized before`)
      const identifier = { type: 'dns', value: names[0] ?? '' }
      const authorization = { identifier } as acme.Authorization // all that is read of it
      const [, chain] = await acme.crypto.createAlpnCertificate(authorization, 'crash', key)
      write(url, { ...order, chain: String(chain) })
    },
    async download(url) {
      return read(url).chain ?? Promise.reject(new Error(`${url} is not ready`))
    },
  }
}

let made = 0
function serial(): number {
  made += 1
  return made
}

/** For which names certificates were made, one entry each; sorted. */
export function listIssued(folder: string): string[] {
  const orders = readdirSync(folder).map((url): KeptOrder => JSON.parse(readFileSync(join(folder, url), 'utf8')))
  return orders.flatMap(({ names, chain }) => (chain === null ? [] : [names.join(' ')])).toSorted()
}
