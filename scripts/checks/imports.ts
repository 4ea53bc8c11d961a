import { dirname, join, normalize } from 'node:path'

export interface Import {
  /** Path of the importing file from the project's folder. */
  file: string
  /** Path of a file of the project, or the name of a package or of a Node module. */
  target: string
}

/** Imports of a file, as they are written: static, re-exported, dynamic and type imports. Comments do not count. */
export function importedFrom(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const patterns = [
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]/g,
    /^\s*declare\s+module\s+['"]([^'"]+)['"]/gm,
  ]
  const found = patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1] ?? ''))
  return [...new Set(found)]
}

/**
 * The target of an import: a path of the project for our files (`@atoll/did` is `packages/did/src/index.ts`), the
 * specifier itself for packages and Node's modules.
 */
export function resolveImport(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier))
  const own = /^@atoll\/([\w-]+)(?:\/(.+))?$/.exec(specifier)
  if (own) return `packages/${own[1]}/src/${own[2] ?? 'index.ts'}`
  return specifier
}
