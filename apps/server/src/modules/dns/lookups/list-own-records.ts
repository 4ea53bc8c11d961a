/** The records of a name as resolvers see them: those to move when other servers are to answer for it. */
import type { MovedRecords } from '@atoll/contract/domains'
import type { Answer } from 'dns-packet'
import type { Ask, Resolver } from './dns-client.ts'
import { resolve } from './find-servers.ts'
import { aliasOf, lower } from './read-reply.ts'

type MovedType = MovedRecords[number]['type']

/** Those of the name itself; at names below it are keys and policies of mail alone. */
const ownTypes = ['MX', 'A', 'AAAA', 'TXT', 'CAA'] as const

/** As many of a type as a person reads; the longest value that a zone takes. */
const [mostValues, longestValue] = [20, 2000]

/**
 * Those of `name` itself, then the texts at `below`, in this order, those that are there; an alias below is a record of
 * its own. Null when no resolver answers to one of the questions.
 */
export async function listOwnRecords(
  ask: Ask,
  resolvers: readonly Resolver[],
  name: string,
  below: readonly string[],
): Promise<MovedRecords | null> {
  const questions: { name: string; type: (typeof ownTypes)[number] }[] = [
    ...ownTypes.map((type) => ({ name, type })),
    ...below.map((each) => ({ name: each, type: 'TXT' as const })),
  ]
  const replies = await Promise.all(questions.map((question) => resolve(ask, resolvers, question)))
  if (replies.some((reply) => reply === undefined)) return null
  return questions.flatMap(({ name: at, type }, index): MovedRecords => {
    const alias = at === name ? undefined : aliasOf(replies[index], at)
    if (alias !== undefined) return [{ type: 'CNAME', name: at, values: [alias] }]
    const values = (replies[index]?.answers ?? []).flatMap((answer) => textsOf(answer, type))
    const shown = [...new Set(values)].slice(0, mostValues).map((value) => value.slice(0, longestValue).toWellFormed())
    return shown.length > 0 ? [{ type, name: at, values: shown }] : []
  })
}

function textsOf(answer: Answer, type: MovedType): string[] {
  if (answer.type !== type) return []
  switch (answer.type) {
    case 'MX':
      return [`${answer.data.preference ?? 0} ${lower(answer.data.exchange) || '.'}`]
    case 'A':
    case 'AAAA':
      return [answer.data]
    case 'TXT':
      return [Buffer.concat([answer.data].flat().map((part) => Buffer.from(part))).toString('utf8')]
    case 'CAA':
      return [`${answer.data.flags ?? 0} ${answer.data.tag} "${answer.data.value}"`]
  }
  return []
}
