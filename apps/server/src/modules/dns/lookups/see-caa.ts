/** Whether our certification authority may issue for a domain (RFC 8659). */
import type { DomainVerdict } from '@atoll/contract/domains'
import type { Ask, Resolver } from './dns-client.ts'
import { resolve } from './find-servers.ts'
import { lower } from './read-reply.ts'

/**
 * The verdict when it may not; undefined when it may, or nobody says anything. `issuer`: as the authority names itself,
 * such as `letsencrypt.org`. What stands nearest above the name counts, and only that.
 */
export async function seeCaa(
  ask: Ask,
  resolvers: readonly Resolver[],
  domain: string,
  issuer: string,
): Promise<DomainVerdict | undefined> {
  for (let at = domain; at !== ''; at = at.includes('.') ? at.slice(at.indexOf('.') + 1) : '') {
    const reply = await resolve(ask, resolvers, { name: at, type: 'CAA' })
    const records = (reply?.answers ?? []).flatMap((record) => (record.type === 'CAA' ? [record.data] : []))
    if (records.length === 0) continue
    const issuers = records
      .filter(({ tag }) => tag === 'issue')
      .map(({ value }) => lower(value.split(';')[0]?.trim() ?? ''))
    if (issuers.length === 0 || issuers.includes(issuer)) return undefined
    const found = records.slice(0, 20).map(({ tag, value }) => `${tag} "${value}"`.slice(0, 600))
    return { kind: 'caaForbids', server: '', side: 'parent', name: at, type: 'CAA', found }
  }
  return undefined
}
