/** Whether our certification authority may issue for a name (RFC 8659, and RFC 8657 for accounts and methods). */
import type { DomainVerdict } from '@atoll/contract/domains'
import type { Ask, Reply, Resolver } from './dns-client.ts'
import { isAnswer, lower } from './read-reply.ts'

/** The certificate to be issued, as far as CAA records restrict it; undefined fields are not judged. */
export interface CaaQuestion {
  /** As the authority names itself, such as `letsencrypt.org`. */
  issuer: string
  /** How the name is proven (RFC 8657, 4). */
  method?: 'dns-01' | 'http-01' | undefined
  /** The address of our account at the authority (RFC 8657, 3). */
  accountUri?: string | undefined
}

export interface CaaRecord {
  /** 128: an authority that does not know the tag must not issue. */
  flags?: number | undefined
  tag: string
  value: string
}

const critical = 128
/** Tags that authorities know: of a critical one that they do not know, none issues. */
const knownTags = ['issue', 'issuewild', 'iodef', 'contactemail', 'contactphone', 'issuemail', 'issuevmc']

/**
 * Whether the records that stand at one name let our authority issue. `wildcard`: for `*.` in front of the name, where
 * `issuewild` stands before `issue`.
 */
export function allowsIssuer(records: readonly CaaRecord[], question: CaaQuestion, wildcard: boolean): boolean {
  const ofTag = (wanted: string) => records.filter(({ tag }) => tag.toLowerCase() === wanted)
  const isUnknown = ({ flags = 0, tag }: CaaRecord) =>
    (flags & critical) !== 0 && !knownTags.includes(tag.toLowerCase())
  if (records.some(isUnknown)) return false
  const wild = wildcard ? ofTag('issuewild') : []
  const rules = wild.length > 0 ? wild : ofTag('issue')
  return rules.length === 0 || rules.some(({ value }) => isMet(value, question))
}

/** Whether one rule, such as `ca.example; validationmethods=dns-01`, names our authority and what it is to do. */
function isMet(value: string, { issuer, method, accountUri }: CaaQuestion): boolean {
  const [name = '', ...parameters] = value.split(';').map((part) => part.trim())
  if (lower(name) !== issuer) return false
  const named = (key: string) =>
    parameters.flatMap((parameter) => {
      const at = parameter.indexOf('=')
      return parameter.slice(0, at).trim().toLowerCase() === key ? [parameter.slice(at + 1).trim()] : []
    })
  const methods = named('validationmethods').flatMap((list) => list.split(',').map((one) => one.trim()))
  const accounts = named('accounturi')
  if (method !== undefined && methods.length > 0 && !methods.includes(method)) return false
  return accountUri === undefined || accounts.length === 0 || (accounts.length === 1 && accounts[0] === accountUri)
}

/**
 * The verdict when it may not; undefined when it may, or nobody says anything. Of `name`, with or without `*.`, the
 * records that stand nearest above count, and only those; at an alias those of its target do.
 */
export async function seeCaa(
  ask: Ask,
  resolvers: readonly Resolver[],
  name: string,
  question: CaaQuestion,
): Promise<DomainVerdict | undefined> {
  const wildcard = name.startsWith('*.')
  for (
    let at = wildcard ? name.slice(2) : name;
    at !== '';
    at = at.includes('.') ? at.slice(at.indexOf('.') + 1) : ''
  ) {
    const reply = await askInTurn(ask, resolvers, at)
    // Where nobody can say what stands here, nothing above it speaks for it (RFC 8659, 3): the authority decides.
    if (!reply) return undefined
    const records = (reply.answers ?? []).flatMap((record) => (record.type === 'CAA' ? [record.data] : []))
    if (records.length === 0) continue
    if (allowsIssuer(records, question, wildcard)) return undefined
    const found = records.slice(0, 20).map(({ tag, value }) => `${tag} "${value}"`.slice(0, 600).toWellFormed())
    return { kind: 'caaForbids', server: '', side: 'parent', name: at, type: 'CAA', found }
  }
  return undefined
}

/** The first answer of a resolver; one that fails is not asked to leave out its judgement, as authorities do not. */
async function askInTurn(ask: Ask, resolvers: readonly Resolver[], name: string): Promise<Reply | undefined> {
  for (const resolver of resolvers) {
    const reply = await ask(resolver, { name, type: 'CAA' }, { recursive: true })
    if (isAnswer(reply)) return reply
  }
  return undefined
}
