/**
 * Looks at DNS as it is for everybody: asks each server of the zone that holds a record, and the resolvers that people
 * use. Nothing is kept, nothing is written.
 */
import { z } from 'zod'
import { DnsName } from '../zones/zone.ts'
import { type Ask, ask as askServer, type Resolver } from './dns-client.ts'
import { findServers, resolve } from './find-servers.ts'
import { judge, type LookupResult, type Seen, type WantedRecord } from './judge.ts'
import { hasWanted, isProxy, misplacements } from './misplaced.ts'
import { aliasOf, longestChain, type Result, readDirect, readResolved } from './read-reply.ts'
import { seeCaa } from './see-caa.ts'

export interface LookupDeps {
  resolvers: readonly Resolver[]
  /** Our certification authority, as it names itself; undefined: nobody asks whether it may issue. */
  issuer?: string | undefined
  /** The port of servers that DNS names; another one than 53 in tests. */
  serverPort?: number
  ask?: Ask
}

const Name = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(DnsName)
const Owner = z.union([
  Name,
  z.templateLiteral(['*.', z.string()]).refine((text) => DnsName.safeParse(text.slice(2)).success),
])

/** A lookup's domain and wanted record. */
export const LookupRequest = z.object({
  domain: Name,
  want: z.discriminatedUnion('kind', [
    /** A text at one of these names, the first one preferred. */
    z.object({ kind: z.literal('txt'), names: z.array(Name).min(1).max(4), value: z.string().min(1).max(255) }),
    /** The domain delegated to these servers and no others. */
    z.object({ kind: z.literal('ns'), servers: z.array(Name).min(1).max(13) }),
    /** `name` may be a wildcard. */
    z.object({ kind: z.literal('cname'), name: Owner, target: Name }),
  ]),
})
export type LookupRequest = z.input<typeof LookupRequest>
export type { LookupResult } from './judge.ts'

export type LookUp = (request: LookupRequest) => Promise<LookupResult>

/** Throws a ZodError for what cannot be a name; whatever DNS does is a verdict. */
export function createLookup({ resolvers, issuer, serverPort = 53, ask = askServer }: LookupDeps): LookUp {
  async function lookUpRecord(wanted: WantedRecord): Promise<LookupResult> {
    const { name, type } = wanted
    const [found, resolved] = await Promise.all([
      findServers(ask, resolvers, name),
      Promise.all(resolvers.map((resolver) => seeResolver(resolver, { name, type }))),
    ])
    const servers = found?.servers ?? []
    const direct = await Promise.all(
      servers.map(({ name: host, address }) =>
        seeServer({ name: host, address, port: serverPort }, found?.zone ?? '', wanted),
      ),
    )
    return judge(wanted, [...direct, ...resolved])
  }

  async function seeResolver(
    resolver: Resolver,
    question: { name: string; type: WantedRecord['type'] },
  ): Promise<Seen> {
    const reply = await ask(resolver, question, { recursive: true })
    // SERVFAIL: is it the signatures, or the servers?
    const unchecked =
      reply?.code === 2 ? await ask(resolver, question, { recursive: true, unchecked: true }) : undefined
    return { server: resolver.name, side: 'resolver', result: readResolved(reply, unchecked, question) }
  }

  async function seeServer(server: Resolver, zone: string, wanted: WantedRecord): Promise<Seen> {
    const { name, type } = wanted
    const reply = await ask(server, { name, type }, { recursive: false })
    const seen = { server: server.name, side: 'parent', zone } as const
    const result = readDirect(reply, { name, type }, zone)
    const alias = aliasOf(reply, name)
    if (type === 'TXT' && alias !== undefined && result.kind !== 'values')
      return { ...seen, result: await followText(alias) }
    if (wanted.type === 'CNAME' && result.kind === 'values')
      return { ...seen, result: await followAlias(result, wanted.target) }
    if (result.kind === 'absent') return { ...seen, result: await explainAbsence(server, zone, wanted, result) }
    if (type === 'NS' && result.kind === 'values') return { ...seen, result, hasDs: await hasDs(server, name) }
    return { ...seen, result }
  }

  /** The texts at the end of an alias that leaves its zone. */
  async function followText(alias: string): Promise<Result> {
    const question = { name: alias, type: 'TXT' } as const
    return readResolved(await resolve(ask, resolvers, question), undefined, question)
  }

  /** All names that an alias leads to, until the one wanted. A circle ends where it began. */
  async function followAlias(result: Extract<Result, { kind: 'values' }>, target: string): Promise<Result> {
    const values = [...result.values]
    for (let at = values[0]; at !== undefined && at !== target && values.length < longestChain; ) {
      const next = aliasOf(await resolve(ask, resolvers, { name: at, type: 'CNAME' }), at)
      if (next === undefined || values.includes(next)) break
      values.push(next)
      at = next
    }
    return { ...result, values }
  }

  /** Where the record was put instead, or what stands in its place. */
  async function explainAbsence(
    server: Resolver,
    zone: string,
    wanted: WantedRecord,
    absent: Extract<Result, { kind: 'absent' }>,
  ): Promise<Result> {
    const { name, type } = wanted
    const see = async (at: string, asked: WantedRecord['type'] | 'A' | 'AAAA') => {
      const question = { name: at, type: asked }
      const result = readDirect(await ask(server, question, { recursive: false }), question, zone)
      return result.kind === 'values' ? result.values : []
    }
    for (const { at, kind } of misplacements(wanted, zone)) {
      const values = await see(at, type)
      const isIt = kind === 'nameDoubled' ? values.length > 0 : hasWanted(wanted, values)
      if (isIt) return { ...absent, instead: { kind, ...(kind === 'wrongPlace' && { found: [at] }) } }
    }
    if (type === 'TXT') return absent
    const addresses = [...(await see(name, 'A')), ...(await see(name, 'AAAA'))]
    if (addresses.length === 0) return absent
    // Only a provider that is a proxy itself answers for a CNAME that is there.
    const kind = type === 'CNAME' && isProxy(server.name) ? 'proxied' : 'ownAddress'
    return { ...absent, instead: { kind, found: addresses } }
  }

  async function hasDs(server: Resolver, name: string): Promise<boolean> {
    const reply = await ask(server, { name, type: 'DS' }, { recursive: false })
    return (reply?.answers ?? []).some((record) => record.type === 'DS')
  }

  return async (request) => {
    const { domain, want } = LookupRequest.parse(request)
    if (want.kind === 'ns') return await lookUpRecord({ type: 'NS', name: domain, servers: want.servers })
    if (want.kind === 'cname') {
      const [result, forbids] = await Promise.all([
        lookUpRecord({ type: 'CNAME', name: want.name, target: want.target }),
        issuer === undefined ? undefined : seeCaa(ask, resolvers, domain, { issuer }),
      ])
      // Reported, and no step waits for it: there is only no certificate.
      return forbids ? { ...result, verdicts: [...result.verdicts, forbids] } : result
    }
    const { names, value } = want
    const results = await Promise.all(names.map((name) => lookUpRecord({ type: 'TXT', name, value })))
    // One place is enough; what is wrong is reported of the first, and of others where there is something.
    const passed = results.find((result) => result.passed)
    if (passed) return passed
    const isSpecific = ({ kind }: { kind: string }) => kind !== 'missing' && kind !== 'noAnswer'
    const verdicts = results.flatMap((one, index) => (index === 0 ? one.verdicts : one.verdicts.filter(isSpecific)))
    // Not there only where it is at none of them.
    return { passed: false, answered: results.every(({ answered }) => answered), verdicts }
  }
}
