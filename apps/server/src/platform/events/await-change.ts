import type { ChangeFeed } from './change-feed.ts'

/**
 * The result of `read`, read again after each change of `account`; undefined when it found nothing for `ms`. Throws
 * what `read` throws.
 */
export async function awaitChange<Found>(
  feed: ChangeFeed,
  account: string,
  ms: number,
  read: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Found | undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  const check = () => {
    read().then((found) => found !== undefined && resolve(found), reject)
  }
  // `ready` comes first, so nothing that changed before is missed.
  const subscribing = feed.subscribe({
    filter: { account, everybodys: [] },
    after: undefined,
    publish: check,
    onLost: () => reject(new Error('changes cannot be received')),
  })
  try {
    await subscribing
    return await promise
  } finally {
    clearTimeout(timer)
    subscribing.then((unsubscribe) => unsubscribe()).catch(() => undefined) // that it failed was thrown above
  }
}
