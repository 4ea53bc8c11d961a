import type { ChangeFeed } from './change-feed.ts'

/**
 * What `read` finds, read again whenever something of `account` changes; undefined when it found nothing for `ms`.
 * Throws what `read` throws.
 */
export async function awaitChange<Found>(
  feed: ChangeFeed,
  account: string,
  ms: number,
  read: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Found | undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  const look = () => {
    read().then((found) => found !== undefined && resolve(found), reject)
  }
  // Told first thing, so nothing that changed before is missed.
  const following = feed.follow({
    filter: { account, everybodys: [] },
    after: undefined,
    tell: look,
    onLost: () => reject(new Error('changes cannot be followed')),
  })
  try {
    await following
    return await promise
  } finally {
    clearTimeout(timer)
    following.then((stop) => stop()).catch(() => undefined) // that it failed was thrown above
  }
}
