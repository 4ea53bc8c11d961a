import { userTimeZone } from '@atoll/contract/accounts'
import { useEffect, useRef } from 'react'
import { useInit } from '../../data/home-queries.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useFirstIdle } from '../../kit/browser/first-idle.tsx'
import { browserZone, setReaderZone } from '../../kit/format/reader-zone.ts'
import type { Account } from '../../session/account.ts'

/** Has times written in the account's time zone, and sends this browser's where none is known. Draws nothing. */
export function ReaderZone({ account }: { account: Account }) {
  // Before the page beside it is drawn, which writes times in it.
  setReaderZone(account.timeZone ?? undefined)
  const isIdle = useFirstIdle()
  // The stored account may be older than its zone, which must not be overwritten: only the server knows.
  const hasNone = useInit().data?.user.timeZone === null
  // Staff who look as the customer are in another zone, and may change nothing.
  const isUnknown = hasNone && !account.look
  const { mutate } = useCallMutation(userTimeZone)
  // Once a page: one that was refused is sent by the next.
  const isSent = useRef(false)
  useEffect(() => {
    if (!isIdle || !isUnknown || isSent.current) return
    isSent.current = true
    mutate({ timeZone: browserZone() })
  }, [isIdle, isUnknown, mutate])
  return null
}
