/**
 * Vite plugin: a script at the top of the page (`src/early/`) that asks for what the first page needs beside the start
 * file, while that one is still on its way. A file of its own, because the policy allows no script in the page.
 */
import { fileURLToPath } from 'node:url'
import { resourceInitNew } from '@atoll/contract/clusters'
import { runtimeConfigName } from '@atoll/contract/identity'
import { type Locale, locales } from '@atoll/contract/wire'
import { build, type Plugin, type Rolldown } from 'vite'
import type { EarlyFacts } from '../src/app/early/early-facts.ts'

interface EarlyFetchOptions {
  /** Name of the chunk of signing in. */
  signIn: string
  /** Name of the chunk that every other page needs. */
  signedIn: string
  /** Begins the paths that do without it. */
  signInPath: string
}

const entry = fileURLToPath(new URL('../src/app/early/early.ts', import.meta.url))

export function earlyFetch({ signIn, signedIn, signInPath }: EarlyFetchOptions): Plugin {
  let script = ''
  return {
    name: 'early-fetch',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((item): item is Rolldown.OutputChunk => item.type === 'chunk')
      const addressOf = (what: string, test: (chunk: Rolldown.OutputChunk) => boolean): Rolldown.OutputChunk => {
        const chunk = chunks.find(test)
        return chunk ?? this.error(`no file is ${what}`)
      }
      const textsIn = (part: string) =>
        Object.fromEntries(
          locales.map((locale) => {
            const path = `/${locale}/console/${part}.ts`
            return [
              locale,
              `/${addressOf(path, ({ facadeModuleId }) => facadeModuleId?.endsWith(path) === true).fileName}`,
            ]
          }),
        ) as Record<Locale, string> // every locale has just been given one
      const filesOf = (wanted: string) => {
        const page = addressOf(wanted, ({ name }) => name === wanted)
        const styles = [...(page.viteMetadata?.importedCss ?? [])].map((name) => `/${name}`)
        return { modules: [`/${page.fileName}`], styles }
      }
      const source = await buildScript({
        signInPath,
        configName: runtimeConfigName,
        initPath: resourceInitNew.path,
        signIn: filesOf(signIn),
        signedIn: filesOf(signedIn),
        texts: { always: textsIn('at-start'), signedIn: textsIn('signed-in') },
      })
      script = this.getFileName(this.emitFile({ type: 'asset', name: 'early.js', source }))
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: `/${script}`, async: true }, injectTo: 'head' }],
    },
  }
}

/** The script's text, which imports nothing. */
async function buildScript(facts: EarlyFacts): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define: { earlyFacts: JSON.stringify(facts) },
    build: { write: false, target: 'es2023', lib: { entry, formats: ['iife'], name: 'early' } },
  })
  const [output] = [built].flat() as Rolldown.RolldownOutput[] // it watches nothing
  const [chunk, ...others] = output?.output ?? []
  if (!chunk || others.length > 0) throw new Error('the early script is one file')
  return chunk.code
}
