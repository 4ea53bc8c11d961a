/**
 * Vite plugin: leaves out what zod brings and no front end uses, 8 kB of the sign-in page. Its JSON Schema writer,
 * which every schema carries (the OpenAPI document is the server's): each export becomes a function that does nothing.
 * Its English sentences: what is wrong with an answer is shown in the catalogue's words, never in zod's.
 */
import type { Plugin } from 'vite'

const writer = /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/
const sentences = /\/zod\/v4\/locales\/en\.js$/

export function leanZod(): Plugin {
  return {
    name: 'lean-zod',
    apply: 'build',
    transform: {
      filter: { id: [writer, sentences] },
      handler(code, id) {
        if (sentences.test(id)) {
          if (!code.includes('localeError: error()')) this.error('zod has other sentences: look here again')
          return 'export default () => ({ localeError: () => undefined })'
        }
        const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map((match) => match[1])
        const renamed = [...code.matchAll(/^export \{ \w+ as \w+ \};?$/gm)].map(([line]) => line)
        if (names.length + renamed.length !== code.match(/^export /gm)?.length) {
          this.error('zod has another shape: look here again')
        }
        return [...names.map((name) => `export const ${name} = () => undefined`), ...renamed].join('\n')
      },
    },
  }
}
