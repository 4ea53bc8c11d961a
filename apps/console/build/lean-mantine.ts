/**
 * Vite plugin: leaves out how Mantine writes its variables and breakpoint classes at run time, 12 kB with what that
 * needs. Both are in the console's style sheet (`packages/ui`, `theme/css-variables.ts`), and its provider is told to
 * write neither.
 */
import type { Plugin } from 'vite'

const writers = /\/@mantine\/core\/esm\/core\/MantineProvider\/(MantineCssVariables|MantineClasses)\/\1\.mjs$/

export function leanMantine(): Plugin {
  return {
    name: 'lean-mantine',
    apply: 'build',
    transform: {
      filter: { id: writers },
      handler(code, id) {
        const [, name] = writers.exec(id) ?? []
        if (!name || !code.includes(`export { ${name} }`)) this.error('Mantine has another shape: look here again')
        return `export const ${name} = () => null`
      },
    },
  }
}
