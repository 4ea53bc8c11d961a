/**
 * Vite plugin: fails the build when the JavaScript that a route's first load fetches, gzipped, passes its budget.
 * Counted are the entry, the chunks the route's component lives in, and all they import at once; texts of the larger
 * language too. Of a part that is loaded on demand its own chunk is counted.
 */
import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

type Chunk = Rolldown.OutputChunk
/** 1 kB of the budget, bytes. */
const kilobyte = 1000

/** `budgets`: part of a module's path that only the route loads → kB. `parts`: the end of a part's path → kB. */
export function bundleBudget(budgets: Record<string, number>, parts: Record<string, number>): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((item): item is Chunk => item.type === 'chunk')
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
      for (const [route, budget] of Object.entries(budgets)) {
        const roots = chunks.filter((chunk) => chunk.isEntry || belongsTo(chunk, route) || isLayoutOf(chunk, route))
        const files = reach(roots, byName)
        const size = [...files].reduce(
          (sum, chunk) => sum + gzipSync(chunk.code, { level: 9 }).length,
          largestText(chunks, route),
        )
        const line = `first load of ${route}: ${(size / kilobyte).toFixed(1)} of ${budget} kB`
        if (size > budget * kilobyte) this.error(`${line}\n${[...files].map((chunk) => chunk.fileName).join('\n')}`)
        this.info(line)
      }
      for (const [part, budget] of Object.entries(parts)) {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(part))
        const size = chunk ? gzipSync(chunk.code, { level: 9 }).length : Number.POSITIVE_INFINITY
        const line = `${part}: ${(size / kilobyte).toFixed(1)} of ${budget} kB`
        if (size > budget * kilobyte) this.error(line)
        this.info(line)
      }
    },
  }
}

function belongsTo(chunk: Chunk, route: string): boolean {
  return Object.keys(chunk.modules).some((id) => id.includes(`${route}?`))
}

/** The route's layouts load with it: `_main.tsx` for `_main/index.tsx`. */
function isLayoutOf(chunk: Chunk, route: string): boolean {
  const folder = route.slice(0, route.lastIndexOf('/'))
  return belongsTo(chunk, `${folder}.tsx`) || belongsTo(chunk, `${folder}/route.tsx`)
}

function reach(roots: Chunk[], byName: Map<string, Chunk>): Set<Chunk> {
  const found = new Set<Chunk>()
  const visit = (chunk: Chunk | undefined) => {
    if (!chunk || found.has(chunk)) return
    found.add(chunk)
    for (const name of chunk.imports) visit(byName.get(name))
  }
  for (const root of roots) visit(root)
  return found
}

/** Bytes of the larger language: the texts of the start, and in a layout those of its pages. */
function largestText(chunks: Chunk[], route: string): number {
  const sizes = new Map<string, number>()
  for (const chunk of chunks) {
    const [, locale, part] = /\/([\w-]+)\/console\/(at-start|signed-in)\.ts$/.exec(chunk.facadeModuleId ?? '') ?? []
    if (!locale || (part === 'signed-in' && !route.includes('/_'))) continue
    sizes.set(locale, (sizes.get(locale) ?? 0) + gzipSync(chunk.code).length)
  }
  return Math.max(0, ...sizes.values())
}
