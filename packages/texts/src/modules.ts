/** The texts of the contract's modules. `npm run check` compares their keys with the contract's. */
import type { Locale } from '@atoll/contract/wire'
import { inEachLocale } from './fill-text.ts'
import tables from './tables/modules.gen.ts'

type Texts = Readonly<Record<string, string>>
type TextTables = Readonly<Record<string, Texts>>

export interface ModuleTexts {
  refusals?: Texts | undefined
  reasons?: Texts | undefined
  /** By a parameter of such sentences: the words of its values. */
  labels?: TextTables | undefined
  audit?:
    | {
        kinds?: Texts | undefined
        /**
         * By the action. `{name}` is the object's name and `{oldName}` its name before, `{account}` the account that
         * owns it, `{instance}` the worker (a record of a cluster's master has none), `{size}` the ordered size, `{id}`
         * the ID that was bound; any other is the fact of that name, its new value or else its old one, an amount with
         * its currency. A part in `[…]` is left out where its placeholder is unknown.
         */
        sentences: Texts
        /** Keys of `before` and `after`; one without words is for programs and is not shown. */
        facts?: Texts | undefined
        /** Values that have words, by the key they stand under. Those of a boolean are shown without the label. */
        values?: TextTables | undefined
      }
    | undefined
}

export const modules: Record<Locale, readonly ModuleTexts[]> = tables

/** One table of all modules together, in each language. */
export function joinTexts(read: (module: ModuleTexts) => Texts | undefined): Record<Locale, Texts> {
  return inEachLocale((locale): Texts => Object.assign({}, ...modules[locale].map(read)))
}
