/** The records of a name as resolvers see them: those to move when other servers are to answer for it. */
import { longestOwnValue, type MovedRecords, mostOwnRecords } from '@atoll/contract/domains'
import type { Answer } from 'dns-packet'
import type { Ask, Resolver } from './dns-client.ts'
import { resolve } from './find-servers.ts'
import { aliasOf, lower } from './read-reply.ts'

type MovedType = MovedRecords[number]['type']

/** Those of the name itself; at names below it are keys and policies of mail alone. */
const ownTypes = ['MX', 'A', 'AAAA', 'TXT', 'CAA'] as const

/** More than a zone takes of each: a domain whose records were cut here is refused, and not copied in part. */
const [mostValues, longestValue] = [mostOwnRecords + 1, longestOwnValue]

/**
 * Those of `name` itself, then the texts at `below`, in this order, those that are there. An alias below is a record of
 * its own where it leads to a text: one that leads to none may be the wildcard that points the hosts here. Null when
 * no resolver answers to one of the questions.
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
    const values = (replies[index]?.answers ?? []).flatMap((answer) => textsOf(answer, type))
    const alias = at === name ? undefined : aliasOf(replies[index], at)
    if (alias !== undefined) return values.length > 0 ? [{ type: 'CNAME', name: at, values: [alias] }] : []
    const shown = [...new Set(values)]
      .filter((value) => value.trim() !== '')
      .slice(0, mostValues)
      .map((value) => value.slice(0, longestValue).toWellFormed())
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
