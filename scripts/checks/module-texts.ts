/** Whether the shared texts have every key of the contract and no other: no answer is a bare key. */
import { errorCatalogue, fieldReasons, reasonKeys } from '../../packages/contract/src/api/index.ts'
import { auditActions, auditKinds } from '../../packages/contract/src/audit/index.ts'
import { locales } from '../../packages/contract/src/wire/constants.ts'
import fields from '../../packages/texts/en-US/shared/fields.json' with { type: 'json' }
import { createRefusals } from '../../packages/texts/src/create-refusals.ts'
import { joinTexts } from '../../packages/texts/src/modules.ts'

// `locales` checks that the other languages have the same keys.
const [first] = locales

const tables: [name: string, keys: readonly string[], texts: Readonly<Record<string, string>>][] = [
  [
    'refusal',
    Object.keys(errorCatalogue),
    { ...createRefusals[first], ...joinTexts(({ refusals }) => refusals)[first] },
  ],
  ['reason of a field', fieldReasons, fields.reasons],
  ['reason', reasonKeys, joinTexts(({ reasons }) => reasons)[first]],
  ['action of the audit log', auditActions, joinTexts(({ audit }) => audit?.sentences)[first]],
  ['kind of the audit log', auditKinds, joinTexts(({ audit }) => audit?.kinds)[first]],
]

export function findModuleGaps(): string[] {
  return tables.flatMap(([name, keys, texts]) => compareKeys(name, keys, texts))
}

export function compareKeys(name: string, keys: readonly string[], texts: Readonly<Record<string, string>>): string[] {
  return [
    ...keys.filter((key) => !Object.hasOwn(texts, key)).map((key) => `the ${name} "${key}" has no text`),
    ...Object.keys(texts)
      .filter((key) => !keys.includes(key))
      .map((key) => `the text "${key}" is of no ${name}`),
  ]
}
