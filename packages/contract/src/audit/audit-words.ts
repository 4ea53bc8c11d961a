/** How a module says what its audit records mean. */
import type { Words } from '../wire/words.ts'
import type { AuditKind } from './audit.ts'

export interface AuditWords {
  kinds: Readonly<Partial<Record<AuditKind, Words>>>
  /**
   * The sentence of a record, by its action on the wire: `kind.verb`, such as `cluster.start`. `{name}` is the object's
   * name and `{oldName}` its name before, `{account}` the account that owns it, `{instance}` the worker (a record of a
   * cluster's master has none), `{size}` the ordered size, `{id}` the ID that was bound; any other is the fact of that
   * name, its new value or else its old one, an amount with its currency. A part in `[…]` is left out where its
   * placeholder is unknown.
   */
  sentences: Readonly<Record<`${AuditKind}.${string}`, Words>>
  /** Keys of `before` and `after`; one without words is for programs and is not shown. */
  facts: Readonly<Record<string, Words>>
  /**
   * Values that have words of their own, by the key they stand under. Those of a boolean are shown without the label.
   */
  values: Readonly<Record<string, Readonly<Record<string, Words>>>>
}
