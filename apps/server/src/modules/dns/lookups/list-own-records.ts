/** The records at a name itself, as resolvers see them: those to move when other servers are to answer for the name. */
import type { Answer } from 'dns-packet'
import type { Ask, Resolver } from './dns-client.ts'
import { resolve } from './find-servers.ts'
import { lower } from './read-reply.ts'

const types = ['MX', 'A', 'AAAA', 'TXT'] as const
export type OwnRecords = { type: (typeof types)[number]; values: string[] }[]

/** As many of a type as a person reads; the longest a value is shown. */
const [mostValues, longestValue] = [20, 300]

/** In the order of `types`, those that are there; null when no resolver answers to one of the questions. */
export async function listOwnRecords(
  ask: Ask,
  resolvers: readonly Resolver[],
  name: string,
): Promise<OwnRecords | null> {
  const replies = await Promise.all(types.map((type) => resolve(ask, resolvers, { name, type })))
  if (replies.some((reply) => reply === undefined)) return null
  return types.flatMap((type, index) => {
    const values = (replies[index]?.answers ?? []).flatMap((answer) => textsOf(answer, type))
    const shown = [...new Set(values)].slice(0, mostValues).map((value) => value.slice(0, longestValue).toWellFormed())
    return shown.length > 0 ? [{ type, values: shown }] : []
  })
}

function textsOf(answer: Answer, type: (typeof types)[number]): string[] {
  if (answer.type !== type) return []
  switch (answer.type) {
    case 'MX':
      return [`${answer.data.preference ?? 0} ${lower(answer.data.exchange)}`]
    case 'A':
    case 'AAAA':
      return [answer.data]
    case 'TXT':
      return [[answer.data].flat().map(String).join('')]
  }
  return []
}
