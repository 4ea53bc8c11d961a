/**
 * Vite plugin: fails the build if a file that customers load holds a module of the staff's part, or loads one that
 * does. Modules of `staff` may be reached only by an import on demand.
 */
import type { Plugin, Rolldown } from 'vite'

/** A file of the build, as far as this asks. */
export type BuiltChunk = Pick<Rolldown.OutputChunk, 'fileName' | 'isEntry' | 'imports'> & {
  modules: Readonly<Record<string, unknown>>
}

export function staffApart(staff: RegExp): Plugin {
  return {
    name: 'staff-apart',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((item) => item.type === 'chunk')
      const found = findMixed(chunks, staff)
      if (found.length > 0) this.error(`customers load what is the staff's:\n${found.join('\n')}`)
    },
  }
}

/** The files of customers that load modules of `staff`, a line each. */
export function findMixed(chunks: readonly BuiltChunk[], staff: RegExp): string[] {
  const ofStaff = new Map(
    chunks.flatMap((chunk) => {
      const module = Object.keys(chunk.modules).find((id) => staff.test(id))
      return module === undefined ? [] : [[chunk.fileName, module] as const]
    }),
  )
  return chunks.flatMap((chunk) => {
    if (chunk.isEntry && ofStaff.has(chunk.fileName)) return [`${chunk.fileName} holds ${ofStaff.get(chunk.fileName)}`]
    if (ofStaff.has(chunk.fileName)) return []
    return chunk.imports
      .filter((name) => ofStaff.has(name))
      .map((name) => `${chunk.fileName} loads ${ofStaff.get(name)}`)
  })
}
