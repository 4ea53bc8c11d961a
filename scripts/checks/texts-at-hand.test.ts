import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import beyondHome from '../../packages/texts/en-US/console/beyond-home.ts'

const source = resolve(import.meta.dirname, '../../apps/console/src')
const roots = ['home/HomePage.tsx', 'app/shell/AppShell.tsx', 'kit/confirm/ConfirmHost.tsx', 'kit/toast/ToastStack.tsx']

/** Every file that home imports, at once or on demand; not through the pages' addresses, and not past `until`. */
function reach(from: readonly string[], until: (code: string) => boolean): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (path: string) => {
    if (found.has(path) || !existsSync(path) || path.endsWith('routeTree.gen.ts')) return
    const code = readFileSync(path, 'utf8')
    found.set(path, code)
    // A type brings no code with it.
    for (const [, name] of code.matchAll(/^(?!import type\b).*?(?:from|import)[ (]'(\.[^']+)'/gm)) {
      if (name && !(until(code) && code.includes(`import('${name}')`))) visit(join(dirname(path), name))
    }
  }
  for (const root of from) visit(join(source, root))
  return found
}

test('what home shows, and opens, needs no text of another page before it has fetched it', () => {
  const files = reach(roots, (code) => code.includes('loadTextsBeyondHome()'))
  const key = new RegExp(`['\`](?:${Object.keys(beyondHome).join('|')})\\.\\w+`, 'g')
  const wanting = [...files].flatMap(([path, code]) =>
    [...code.matchAll(key)].map(([found]) => `${path.slice(source.length + 1)}: ${found.slice(1)}`),
  )
  expect(files.size).toBeGreaterThan(100)
  expect(wanting).toEqual([])
})
