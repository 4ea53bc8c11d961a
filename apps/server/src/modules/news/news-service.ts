import { type NewsKind, type NewsObject, newsKindsOf, type newsList, newsObjects } from '@atoll/contract/accounts'
import type { CallData } from '@atoll/contract/wire'
import type { NewsDeps } from './first-steps.ts'
import { noteMark, readMarks } from './mark-store.ts'
import { countUnread, listNews, type NewsRow } from './news-store.ts'

export async function describeNews({ db, clock }: NewsDeps, userid: string): Promise<CallData<typeof newsList>> {
  const now = clock.now()
  const readAt = (await readMarks(db, userid)).get('newsRead')
  const [rows, unread] = await Promise.all([listNews(db, userid, now), countUnread(db, userid, now, readAt)])
  return { items: rows.map((row) => toItem(row, readAt)), unread }
}

function toItem({ number, at, kind, object_id: id, object_name: name, detail }: NewsRow, readAt: Date | undefined) {
  return {
    id: String(number),
    at: at.toISOString(),
    kind,
    detail,
    object: { kind: objectOf(kind), id, name },
    isUnread: readAt === undefined || at > readAt,
  }
}

const objects = new Map(newsObjects.flatMap((object) => newsKindsOf[object].map((kind) => [kind, object] as const)))

function objectOf(kind: NewsKind): NewsObject {
  const object = objects.get(kind)
  if (!object) throw new Error(`no object has news of kind ${kind}`)
  return object
}

/** Up to `upTo`, and not to a time that is yet to come: the news of then are unread. Safe to repeat. */
export async function markRead(deps: NewsDeps, userid: string, upTo: Date): Promise<void> {
  const now = deps.clock.now()
  await noteMark(deps, userid, 'newsRead', upTo < now ? upTo : now)
}
