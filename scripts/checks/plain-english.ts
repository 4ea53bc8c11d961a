/**
 * Comments, test titles and documents are written in plain standard English (AGENTS.md). This check refuses some words
 * that engineers elsewhere do not use, sentences that begin with 'What' or 'Who' in place of a noun, and comment lines
 * past 120 columns.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const maxColumns = 120

const words: readonly [RegExp, string][] = [
  [/\bwhoever\b/i, "'whoever': name the person or the process"],
  [/\banew\b/i, "'anew': again"],
  [/\bby (?:itself|themselves)\b/i, "'by itself': automatically, or alone"],
  [/\bof ours\b/i, "'of ours': our"],
  [/(?<!and )\bno more(?=[.;:,)]|$)/i, "'no more': no longer"],
  [/(?:^|[.:;!?] )(?:What|Who) (?![^.:;]*\?)/, "a sentence begins with 'What' or 'Who' for a noun"],
]

interface Prose {
  line: number
  prose: string
  comment: boolean
}

/** Lines that a person reads: documents, the comments of code, summaries of calls, titles of tests. */
function proseOf(file: string, text: string): Prose[] {
  const isDocument = file.endsWith('.md')
  let fenced = false
  const lines = text.split('\n')
  return lines.flatMap((source, index): Prose[] => {
    const line = index + 1
    if (isDocument) {
      if (/^\s*(?:```|~~~)/.test(source)) fenced = !fenced
      return fenced ? [] : [{ line, prose: source.trim(), comment: false }]
    }
    const comment =
      (file.endsWith('.sql') ? /^\s*--\s(.*)$/.exec(source)?.[1] : undefined) ??
      /^\s*(?:\/\/|\/\*\*?|\*(?=\s|$)|\{\/\*)\s?(.*)$/.exec(source)?.[1] ??
      /[;,{})\]] \/\/ (.*)$/.exec(source)?.[1]
    if (comment !== undefined) return [{ line, prose: comment.trim(), comment: true }]
    const said = /^\s*(?:summary:)?\s*(['"`])(.*)\1,?$/.exec(source)?.[2]
    const isSaid = /^\s*summary:/.test(source) || /^\s*summary:$/.test(lines[index - 1] ?? '')
    if (said !== undefined && isSaid) return [{ line, prose: said, comment: false }]
    const title = /^\s*(?:test|it|describe)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*(['"`])(.*)\1/.exec(source)?.[2]
    return title === undefined ? [] : [{ line, prose: title, comment: false }]
  })
}

/** A line each, with its place, for what is not plain in a file. */
export function faultsOf(file: string, text: string): string[] {
  const lines = text.split('\n')
  return proseOf(file, text).flatMap(({ line, prose, comment }) => [
    ...words.filter(([pattern]) => pattern.test(prose)).map(([, fault]) => `${file}:${line}: ${fault}`),
    ...(comment && (lines[line - 1]?.length ?? 0) > maxColumns
      ? [`${file}:${line}: a comment past ${maxColumns} columns`]
      : []),
  ])
}

export function findPlainEnglishProblems(root: string): string[] {
  const files = globSync(
    [
      '*.md',
      'apps/server/migrations/*.sql',
      '{acceptance,apps,deploy,docs,packages,release,scripts,bench}/**/*.{ts,tsx,css,md}',
    ],
    {
      cwd: root,
      exclude: (path) => /(?:^|\/)(?:node_modules|dist|dist\.next|routeTree\.gen\.ts)$/.test(path),
    },
  )
  return files.flatMap((file) => faultsOf(file, readFileSync(join(root, file), 'utf8')))
}
