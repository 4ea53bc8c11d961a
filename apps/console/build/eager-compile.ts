/**
 * Vite plugin: asks the browser to compile the files of the first page whole, which it does beside the main thread
 * while they arrive. Without, it skips each function at first and compiles it on the main thread when it is first
 * called. Only for files whose functions a first page mostly calls: elsewhere compiling all of them would be the
 * slower way.
 */
import type { Plugin } from 'vite'

/** Read where it is a file's first line (https://v8.dev/blog/explicit-compile-hints); other browsers see a comment. */
const hint = '//# allFunctionsCalledOnLoad\n'

/** `names` of chunks. */
export function eagerCompile(names: string[]): Plugin {
  return {
    name: 'eager-compile',
    apply: 'build',
    generateBundle: {
      // After Vite has written what a file has to preload into its first line.
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((item) => item.type === 'chunk')
        for (const name of names) {
          const chunk = chunks.find((item) => item.name === name)
          if (!chunk) this.error(`no file is named ${name}`)
          chunk.code = hint + chunk.code
        }
      },
    },
  }
}
