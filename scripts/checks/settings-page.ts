/**
 * `docs/operator/settings.md`: every setting with its default and the values it takes, from the schemas that read them.
 * Run as a program, it writes the file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { settingGroups, settings } from '../../apps/server/src/config.ts'
import type { Setting, SettingTable } from '../../apps/server/src/platform/settings/setting.ts'
import { projectRoot } from '../project.ts'

const pageFile = join(projectRoot, 'docs/operator/settings.md')

/** The page for `groups`, by heading. */
export function describeSettingGroups(groups: Readonly<Record<string, SettingTable>>): string {
  const sections = Object.entries(groups).flatMap(([heading, table]) => [
    `## ${heading}`,
    '',
    '| Setting | Meaning | Values | Default |',
    '| --- | --- | --- | --- |',
    ...Object.entries(table).map(([name, setting]) => rowOf(name, setting)),
    '',
  ])
  return [
    '# Settings',
    '',
    'Every setting of the server, read from its environment when it starts. A value that cannot be used stops the start',
    'and is named. A secret can be given as a file instead: `NAME_FILE` is the path of the file that holds it.',
    '',
    'Generated from the schemas by `node scripts/checks/settings-page.ts`; `npm run check` fails where the two differ.',
    '',
    ...sections,
  ].join('\n')
}

function rowOf(name: string, { schema, fallback, fallbackText, text, isSecret }: Setting): string {
  const secret = isSecret ? ' A secret.' : ''
  const standard = fallbackText ?? (fallback === undefined ? 'none' : `\`${fallback}\``)
  const cells = [`\`${name}\``, text + secret, valuesOf(schema), standard]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** The values that a schema takes, in words; empty where any text will do. */
function valuesOf(schema: z.ZodType): string {
  const {
    type,
    enum: words,
    minimum,
    exclusiveMinimum,
    maximum,
    format,
    minLength,
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  })
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  if (type === 'integer' || type === 'number') {
    const least = minimum ?? `more than ${exclusiveMinimum}`
    return `${type === 'integer' ? 'whole number, ' : ''}${least} to ${maximum}`
  }
  if (format === 'uri') return 'URL'
  if (format === 'email') return 'email address'
  return minLength !== undefined && minLength > 1 ? `at least ${minLength} characters` : ''
}

/** How the committed page differs from the schemas, or an empty text. */
export function findSettingsPageProblem(): string {
  const listed = Object.values(settingGroups).flatMap((table) => Object.keys(table))
  const missing = Object.keys(settings).filter((name) => !listed.includes(name))
  if (missing.length > 0) return `No group of settings has ${missing.join(', ')}`
  const kept = existsSync(pageFile) ? readFileSync(pageFile, 'utf8') : ''
  if (kept === describeSettingGroups(settingGroups)) return ''
  return 'docs/operator/settings.md differs from the schemas. Write it with: node scripts/checks/settings-page.ts'
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(pageFile, describeSettingGroups(settingGroups))
