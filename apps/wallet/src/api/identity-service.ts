/**
 * The identity service as the wallet uses it: registering a DID, and binding a name to it (wire, "Identity service").
 */
import { isForPrograms } from '@atoll/contract/api'
import { BindableName, dottedName } from '@atoll/contract/identity'
import { readOpen } from '@atoll/contract/wire'
import { z } from 'zod'
import type { Keychain } from '../keys/keychain.ts'
import { type Answer, getJson, postJson } from './post-json.ts'
import { identityHost, loadRuntimeConfig, serverNow } from './runtime-config.ts'

const Reply = z.object({ code: z.number(), message: z.string().default(''), data: z.unknown().optional() })

/** `refused` carries the service's sentence in the person's language; empty when it had none for people. */
export type Outcome<T> = { kind: 'ok'; data: T } | { kind: 'refused'; message: string } | { kind: 'unreachable' }

/** An answer in this service's envelope, or in that of the product API, whose `okCode` is 200. */
export function readOutcome<T>(answer: Answer, data: z.ZodType<T>, okCode: 0 | 200 = 0): Outcome<T> {
  // Calls answer with HTTP 200 whatever they say; anything else is not the service speaking (spec §8).
  if (answer.kind === 'unreachable' || !answer.ok) return { kind: 'unreachable' }
  const reply = Reply.safeParse(answer.body).data
  if (!reply) return { kind: 'unreachable' }
  if (reply.code !== okCode) return { kind: 'refused', message: isForPrograms(reply.message) ? '' : reply.message }
  const parsed = readOpen(data, reply.data)
  return parsed.success ? { kind: 'ok', data: parsed.data } : { kind: 'unreachable' }
}

/** Asks the service; the server knows its address, so it is asked again if it had not answered yet. */
async function ask(path: string, body?: unknown): Promise<Answer> {
  if (!identityHost()) await loadRuntimeConfig()
  const host = identityHost()
  if (!host) return { kind: 'unreachable' }
  return body === undefined ? getJson(host + path) : postJson(host + path, body)
}

/** Safe to repeat: a DID that is registered already answers with yes. */
export async function registerDid(keychain: Keychain, did: string): Promise<Outcome<unknown>> {
  const jws = await keychain.sign(did, { did: keychain.kidOf(did) })
  const outcome = readOutcome(await ask('/create_local', { jws }), z.unknown())
  if (outcome.kind === 'ok') keychain.markRegistered(did)
  return outcome
}

export async function listNameDomains(): Promise<Outcome<string[]>> {
  return readOutcome(await ask('/name_domains'), z.array(z.string().max(190)).min(1).max(50))
}

/** Binds `name@domain`; on success the keychain knows the name. */
export async function bindName(
  keychain: Keychain,
  did: string,
  name: string,
  time = serverNow(),
): Promise<Outcome<unknown>> {
  const jws = await keychain.sign(did, { name, did: keychain.kidOf(did), time })
  const outcome = readOutcome(await ask('/bind_name', { jws }), z.unknown())
  if (outcome.kind === 'ok') keychain.setName(did, name)
  return outcome
}

/** Whether `name` (`reef@atoll.test`) belongs to somebody; undefined while unknown. */
export async function isNameTaken(name: string): Promise<boolean | undefined> {
  const outcome = readOutcome(await ask(`/name_taken/${encodeURIComponent(dottedName(name))}`), z.boolean())
  return outcome.kind === 'ok' ? outcome.data : undefined
}

/** The name bound to `did`: null when there is none, undefined while unknown. */
export async function findBoundName(did: string): Promise<string | null | undefined> {
  const outcome = readOutcome(await ask(`/get_name_by_did/${encodeURIComponent(did)}`), z.string().max(260))
  if (outcome.kind === 'unreachable') return undefined
  if (outcome.kind === 'refused') return null
  // The service writes '@' as a dot; a name itself has none, so it is the first.
  const name = outcome.data.replace('.', '@')
  return BindableName.safeParse(name).success ? name : null
}
