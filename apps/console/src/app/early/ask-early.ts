import { accountIndexKey, accountListKey, type Locale } from '@atoll/contract/wire'
import { matchLocale } from '@atoll/ui/i18n'
import { callTimeoutMs, readWhole, type WholeResponse } from '../../data/whole-response.ts'
import { localeKey } from '../../locales/locale-key.ts'
import type { EarlyFacts } from './early-facts.ts'

/** The first call of the page's account, under way; who needs it takes it from here (`data/home-queries.ts`). */
export interface EarlyInit {
  token: string
  locale: Locale
  /** This device's clock, ms. */
  askedAt: number
  answered: Promise<WholeResponse>
}

/** The files of texts under way, which the page reads without asking for them once more (`locales/language.ts`). */
export interface EarlyTexts {
  locale: Locale
  always: Promise<unknown>
  /** Not where one signs in. */
  signedIn?: Promise<unknown>
}

declare global {
  var earlyInit: EarlyInit | undefined
  var earlyTexts: EarlyTexts | undefined
}

/**
 * Requests the parts that the first page needs while its start file is still on its way: the texts, the page's file,
 * and for a signed-in page its account's first answer. It only guesses: a page that needs other parts asks for them,
 * and reports their failure.
 */
export function askEarly(facts: EarlyFacts): void {
  // As the page will choose it.
  const locale = matchLocale([kept(localeKey) ?? '', ...navigator.languages])
  const isSigningIn = location.pathname.startsWith(facts.signInPath)
  const texts: EarlyTexts = { locale, always: importTexts(facts.texts.always[locale]) }
  if (!isSigningIn) {
    globalThis.earlyInit = askInit(facts, locale)
    texts.signedIn = importTexts(facts.texts.signedIn[locale])
  }
  globalThis.earlyTexts = texts
  const { modules, styles } = isSigningIn ? facts.signIn : facts.signedIn
  for (const href of modules) link({ rel: 'modulepreload', href })
  for (const href of styles) link({ rel: 'preload', as: 'style', href })
  loadTextFace()
}

/** Texts import nothing, so they are read to their end now, while the browser has little else to do. */
function importTexts(address: string): Promise<unknown> {
  const texts: Promise<unknown> = import(/* @vite-ignore */ address)
  // The page asks again for a part that failed here, and reports a failure.
  texts.catch(() => undefined)
  return texts
}

/** The fetched part of the text face is made ready before there is a text, so that none is laid out twice. */
function loadTextFace(): void {
  const load = () => void document.fonts.load('1em "Inter Variable"').catch(() => undefined)
  const sheet = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')
  if (sheet && !sheet.sheet) sheet.addEventListener('load', load, { once: true })
  else load()
}

function link(attributes: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement('link'), { crossOrigin: '' }, attributes))
}

/** Undefined too when storage is blocked. */
function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Undefined without an account whose session lasts, and wherever what is found is not what is expected: the page
 * checks it. A deployment with a host for each language is asked by the page alone, which knows which.
 */
function askInit({ configName, initPath }: EarlyFacts, locale: Locale): EarlyInit | undefined {
  try {
    const config = document.querySelector(`meta[name="${configName}"]`)?.getAttribute('content')
    const { hosts, now } = JSON.parse(config ?? '')
    const { userid, token, expired } = JSON.parse(kept(accountListKey) ?? '')[kept(accountIndexKey) ?? '']
    if (hosts.global !== hosts.china || !(expired > now)) return undefined
    const answered = fetch(initPath, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Accept-Language': locale,
        userid,
        token,
      },
      signal: AbortSignal.timeout(callTimeoutMs),
    }).then(readWhole)
    // The taker of the answer gets its failure; one that nobody takes fails silently.
    answered.catch(() => undefined)
    return { token, locale, askedAt: Date.now(), answered }
  } catch {
    return undefined
  }
}
