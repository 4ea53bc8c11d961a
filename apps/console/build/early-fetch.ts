/**
 * Vite plugin: a script at the top of the page that asks for what the first page needs beside the start file, while that one is
 * still on its way: the texts, and for a signed-in page its file. A file of its own, because the policy allows no script in
 * the page. It only guesses: what it does not ask for is fetched, and told when it fails, by who needs it.
 */
import { defaultLocale, type Locale, locales } from '@atoll/contract'
import type { Plugin, Rolldown } from 'vite'

interface EarlyFetchOptions {
  /** Name of the chunk that every page but signing in needs. */
  signedIn: string
  /** Begins the paths that do without it. */
  signInPath: string
  /** Under which name of local storage the chosen language is kept. */
  localeKey: string
}

/** Addresses that the script asks for. */
interface Early {
  modules: string[]
  styles: string[]
  texts: Record<Locale, string>
}

export function earlyFetch({ signedIn, signInPath, localeKey }: EarlyFetchOptions): Plugin {
  let script = ''
  return {
    name: 'early-fetch',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((item): item is Rolldown.OutputChunk => item.type === 'chunk')
      const addressOf = (what: string, test: (chunk: Rolldown.OutputChunk) => boolean): Rolldown.OutputChunk => {
        const chunk = chunks.find(test)
        return chunk ?? this.error(`no file is ${what}`)
      }
      const textsIn = (folder: string) =>
        Object.fromEntries(
          locales.map((locale) => {
            const path = `/src/${folder}/${locale}.json`
            return [
              locale,
              `/${addressOf(path, ({ facadeModuleId }) => facadeModuleId?.endsWith(path) === true).fileName}`,
            ]
          }),
        ) as Record<Locale, string> // every locale has just been given one
      const page = addressOf(signedIn, ({ name }) => name === signedIn)
      const styles = [...(page.viteMetadata?.importedCss ?? [])].map((name) => `/${name}`)
      const source = writeScript({
        signInPath,
        localeKey,
        always: { modules: [], styles: [], texts: textsIn('locales') },
        signedIn: { modules: [`/${page.fileName}`], styles, texts: textsIn('locales/pages') },
      })
      script = this.getFileName(this.emitFile({ type: 'asset', name: 'early.js', source }))
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: `/${script}`, async: true }, injectTo: 'head' }],
    },
  }
}

interface ScriptFacts {
  signInPath: string
  localeKey: string
  always: Early
  signedIn: Early
}

/** The script's text. The language is chosen as the page will choose it: the kept one, else the browser's first that we have. */
function writeScript(facts: ScriptFacts): string {
  const languages = locales.map((locale) => [locale.slice(0, 2), locale])
  return `{
  const facts = ${JSON.stringify(facts)}
  const languages = ${JSON.stringify(languages)}
  const kept = () => { try { return localStorage.getItem(facts.localeKey) ?? '' } catch { return '' } }
  const localeOf = (tag) => languages.find(([language]) => tag.slice(0, 2).toLowerCase() === language)?.[1]
  const locale = [kept(), ...navigator.languages].map(localeOf).find(Boolean) ?? '${defaultLocale}'
  const ask = (link) => document.head.append(Object.assign(document.createElement('link'), { crossOrigin: '' }, link))
  const parts = location.pathname.startsWith(facts.signInPath) ? [facts.always] : [facts.always, facts.signedIn]
  for (const { modules, styles, texts } of parts) {
    for (const href of [...modules, texts[locale]]) ask({ rel: 'modulepreload', href })
    for (const href of styles) ask({ rel: 'preload', as: 'style', href })
  }
}
`
}
