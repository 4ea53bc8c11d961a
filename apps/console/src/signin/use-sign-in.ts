import { codes, ownBrowserCodeLifetimeMs, signInCodeLifetimeMs, toastTimeoutMs } from '@atoll/contract/wire'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { apiHost, runtimeConfig, serverNow } from '../config/runtime-config.ts'
import type { CallFailure } from '../data/call-failure.ts'
import { useNow } from '../kit/browser/use-now.ts'
import { useLocale } from '../locales/text.ts'
import { storeAccount } from '../session/account-store.ts'
import { awaitApproval, type CodeNews } from './await-approval.ts'
import { makeSignInCode, type SignInCodeText } from './sign-in-code.ts'

export interface SignIn {
  codeText: string
  /** `scanned`: a wallet has it and is expected to answer. `burnt`: a wrong number was typed for it. */
  state: 'waiting' | 'scanned' | 'approved' | 'expired' | 'burnt'
  /**
   * Two digits to show beside the code; undefined until the server knows the code, and when it can no longer be used.
   */
  matchNumber: string | undefined
  /** A wallet that asks for the number has read the code, or every wallet must. */
  asksNumber: boolean
  /** Why a wallet turned the code down; it can still be used. */
  refused: 'otherDid' | 'declined' | undefined
  /** Left of the code's life, ms. */
  leftMs: number
  failure: CallFailure | null
  /** Where the wallet will say it signs in to. */
  host: string
  refresh: () => void
  /** Shows the code again that a wallet has read. */
  showAgain: () => void
  /** The wallet of this browser has the code now: its answer is taken though the page shows another one since. */
  giveToWallet: () => void
}

/** For how long a page that is looked at shows one code after another, ms; then it waits for a press. */
const renewedForMs = 10 * 60_000

/** One sign-in: a code, its countdown, and what follows its approval. `did` when a known account signs in again. */
export function useSignIn(did: string | undefined, redirect: string | undefined): SignIn {
  const router = useRouter()
  const host = apiHost(useLocale())
  const [code, setCode] = useState(() => makeSignInCode(host, did, serverNow()))
  const [codeHost, setCodeHost] = useState(host)
  const [approved, setApproved] = useState(false)
  const [matchNumber, setMatchNumber] = useState<string>()
  const [news, setNews] = useState<CodeNews>({})
  const [isShownAgain, setShownAgain] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [watchedSince, setWatchedSince] = useState(serverNow)
  /** The code before this one, or the one that the wallet of this browser has; both may still be answered. */
  const [earlier, setEarlier] = useState<{ code: SignInCodeText; lifetimeMs: number }>()
  const [isInWallet, setInWallet] = useState(false)
  useNow(approved ? undefined : 1000)

  function refresh() {
    const now = serverNow()
    const isAwaited = earlier !== undefined && now < earlier.code.time + earlier.lifetimeMs
    if (isInWallet) setEarlier({ code, lifetimeMs: ownBrowserCodeLifetimeMs })
    else if (!isAwaited) setEarlier({ code, lifetimeMs: signInCodeLifetimeMs })
    setInWallet(false)
    setCode(makeSignInCode(host, did, now))
    setCodeHost(host)
    setFailure(null)
    setMatchNumber(undefined)
    setNews({})
    setShownAgain(false)
  }
  // Another language may mean another host: the code on the screen must name the one that is asked.
  if (codeHost !== host) refresh()
  // Somebody else opened this very code first, by whatever luck: it is theirs, and worth nothing here.
  if (failure?.code === codes.forbidden) refresh()

  useEffect(() => {
    return awaitApproval(
      code,
      {
        onOpened: setMatchNumber,
        onNews: setNews,
        onApproved: (session) => {
          storeAccount(session)
          setApproved(true)
        },
        onFailure: setFailure,
      },
      // Behind the wallet's tab the page is hidden, and shows no other code.
      isInWallet ? ownBrowserCodeLifetimeMs : signInCodeLifetimeMs,
    )
  }, [code, isInWallet])

  useEffect(() => {
    if (!earlier || approved) return
    const ignore = () => undefined
    return awaitApproval(
      earlier.code,
      {
        onOpened: ignore,
        onNews: ignore,
        onApproved: (session) => {
          storeAccount(session)
          setApproved(true)
        },
        onFailure: ignore,
      },
      earlier.lifetimeMs,
    )
  }, [earlier, approved])

  useEffect(() => {
    // Somebody who comes back looks at it from now on.
    const onVisible = () => {
      if (document.visibilityState === 'visible') setWatchedSince(serverNow())
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [])

  useEffect(() => {
    if (!approved) return
    // 'Scan successful' stays long enough to be read.
    const timer = setTimeout(() => router.history.replace(redirect ?? '/'), toastTimeoutMs)
    return () => clearTimeout(timer)
  }, [approved, redirect, router])

  // The clocks are compared to within a request's time, so a fresh code may seem to lie a little ahead.
  const leftMs = Math.min(signInCodeLifetimeMs, Math.max(0, code.time + signInCodeLifetimeMs - serverNow()))
  const { scanned, refused } = news
  const isWatched = document.visibilityState === 'visible' && serverNow() < watchedSince + renewedForMs
  if (leftMs === 0 && isWatched && !approved && refused !== 'wrongNumber') refresh()
  const stateOf = (): SignIn['state'] => {
    if (approved) return 'approved'
    if (refused === 'wrongNumber') return 'burnt'
    if (leftMs === 0) return 'expired'
    return scanned && !isShownAgain ? 'scanned' : 'waiting'
  }
  const state = stateOf()
  return {
    codeText: code.text,
    state,
    matchNumber: state === 'waiting' || state === 'scanned' ? matchNumber : undefined,
    // Of wallets, only those that ask for the number report that they read a code.
    asksNumber: scanned === true || runtimeConfig().requireMatchNumber,
    refused: refused === 'wrongNumber' ? undefined : refused,
    leftMs,
    failure,
    host: new URL(host).host,
    refresh() {
      setWatchedSince(serverNow())
      refresh()
    },
    showAgain: () => setShownAgain(true),
    giveToWallet: () => setInWallet(true),
  }
}
