/** The identity service as the wallet uses it: registering a DID, and binding a name to it (wire, "Identity service"). */
import { BindableName } from '@atoll/contract'
import { z } from 'zod'
import type { Keychain } from '../keys/keychain.ts'
import { type Answer, getJson, postJson } from './post-json.ts'
import { identityHost, loadRuntimeConfig, serverNow } from './runtime-config.ts'

const Reply = z.object({ code: z.number(), message: z.string().default(''), data: z.unknown().optional() })

/** `refused` carries the service's sentence in the person's language. */
export type Outcome<T> = { kind: 'ok'; data: T } | { kind: 'refused'; message: string } | { kind: 'unreachable' }

function read<T>(answer: Answer, data: z.ZodType<T>): Outcome<T> {
  if (answer.kind === 'unreachable') return answer
  const reply = Reply.safeParse(answer.body).data
  if (!reply) return { kind: 'unreachable' }
  if (reply.code !== 0) return { kind: 'refused', message: reply.message }
  const parsed = data.safeParse(reply.data)
  return parsed.success ? { kind: 'ok', data: parsed.data } : { kind: 'unreachable' }
}

/** The service's address is the server's to tell; ask again if it had not answered yet. */
async function host(): Promise<string> {
  if (!identityHost()) await loadRuntimeConfig()
  return identityHost()
}

/** Safe to repeat: a DID that is registered already answers with yes. */
export async function registerDid(keychain: Keychain, did: string): Promise<Outcome<unknown>> {
  const base = await host()
  const jws = await keychain.sign(did, { did: keychain.kidOf(did) })
  const outcome = read(await postJson(`${base}/create_local`, { jws }), z.unknown())
  if (outcome.kind === 'ok') keychain.markRegistered(did)
  return outcome
}

export async function listNameDomains(): Promise<Outcome<string[]>> {
  return read(await getJson(`${await host()}/name_domains`), z.array(z.string().max(190)).min(1).max(50))
}

/** Binds `name@domain`; on success the keychain knows the name. */
export async function bindName(keychain: Keychain, did: string, name: string): Promise<Outcome<unknown>> {
  const base = await host()
  const jws = await keychain.sign(did, { name, did: keychain.kidOf(did), time: serverNow() })
  const outcome = read(await postJson(`${base}/bind_name`, { jws }), z.unknown())
  if (outcome.kind === 'ok') keychain.setName(did, name)
  return outcome
}

/** Whether `name` (`reef@atoll.test`) belongs to somebody; undefined while nobody can tell. */
export async function isNameTaken(name: string): Promise<boolean | undefined> {
  const answer = await getJson(`${await host()}/1.0/name/${encodeURIComponent(name.replace('@', '.'))}`)
  if (answer.kind === 'unreachable') return undefined
  const result = z.object({ didDocument: z.unknown().optional() }).safeParse(answer.body).data
  return result && result.didDocument !== null && result.didDocument !== undefined
}

/** The name bound to `did`: null when there is none, undefined while nobody can tell. */
export async function findBoundName(did: string, domains: readonly string[]): Promise<string | null | undefined> {
  const outcome = read(await getJson(`${await host()}/get_name_by_did/${encodeURIComponent(did)}`), z.string().max(260))
  if (outcome.kind === 'unreachable') return undefined
  if (outcome.kind === 'refused') return null
  // The service writes '@' as a dot; the domain tells which of the dots it was.
  const domain = domains.find((each) => outcome.data.endsWith(`.${each}`))
  const at = domain ? outcome.data.length - domain.length - 1 : outcome.data.indexOf('.')
  const name = `${outcome.data.slice(0, at)}@${outcome.data.slice(at + 1)}`
  return BindableName.safeParse(name).success ? name : null
}
