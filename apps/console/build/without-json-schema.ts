/**
 * Vite plugin: leaves zod's JSON Schema writer out. Every zod schema carries it, no front end uses it (the OpenAPI document
 * is the server's), and it is 6 kB of the sign-in page. Each export becomes a function that does nothing.
 */
import type { Plugin } from 'vite'

const writer = /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/

export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: writer },
      handler(code) {
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
