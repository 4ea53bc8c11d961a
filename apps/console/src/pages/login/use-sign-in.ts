import { noticeTimeoutMs, signInCodeLifetimeMs } from '@atoll/contract'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { holdAccount } from '../../accounts/account-store.ts'
import type { CallFailure } from '../../api/call-failure.ts'
import { useNow } from '../../components/use-now.ts'
import { apiHost, serverNow } from '../../config/runtime-config.ts'
import { useLocale } from '../../i18n/text.ts'
import { awaitApproval } from './await-approval.ts'
import { makeSignInCode } from './sign-in-code.ts'

export interface SignIn {
  codeText: string
  state: 'waiting' | 'approved' | 'expired'
  /** Left of the code's life, ms. */
  leftMs: number
  failure: CallFailure | null
  /** Where the wallet will say it signs in to. */
  host: string
  refresh: () => void
}

/** One sign-in: a code, its countdown, and what follows its approval. `did` when a known account signs in again. */
export function useSignIn(did: string | undefined, redirect: string | undefined): SignIn {
  const router = useRouter()
  const host = apiHost(useLocale())
  const [code, setCode] = useState(() => makeSignInCode(host, did, serverNow()))
  const [codeHost, setCodeHost] = useState(host)
  const [approved, setApproved] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  useNow(approved ? undefined : 1000)

  function refresh() {
    setCode(makeSignInCode(host, did, serverNow()))
    setCodeHost(host)
    setFailure(null)
  }
  // Another language may mean another host: the code on the screen must name the one that is asked.
  if (codeHost !== host) refresh()

  useEffect(() => {
    return awaitApproval(code, {
      onApproved: (session) => {
        holdAccount(session)
        setApproved(true)
      },
      onFailure: setFailure,
    })
  }, [code])

  useEffect(() => {
    if (!approved) return
    // 'Scan successful' stays long enough to be read.
    const timer = setTimeout(() => router.history.replace(redirect ?? '/'), noticeTimeoutMs)
    return () => clearTimeout(timer)
  }, [approved, redirect, router])

  // The clocks are compared to within a request's time, so a fresh code may seem to lie a little ahead.
  const leftMs = Math.min(signInCodeLifetimeMs, Math.max(0, code.time + signInCodeLifetimeMs - serverNow()))
  const state = approved ? 'approved' : leftMs === 0 ? 'expired' : 'waiting'
  return { codeText: code.text, state, leftMs, failure, host: new URL(host).host, refresh }
}
