/** How a module says what its audit records mean. */
import type { Words } from '../wire/words.ts'
import type { AuditKind } from './audit.ts'

export interface AuditWords {
  kinds: Readonly<Partial<Record<AuditKind, Words>>>
  /**
   * What a record says, by its action on the wire: `kind.verb`, such as `cluster.start`. `{name}` is what the object is
   * called and `{oldName}` what it was called, `{account}` whose it is, `{instance}` the worker (a record of a
   * cluster's master has none), `{size}` what was ordered, `{id}` the ID that was bound; any other is the fact of that
   * name, as it became or else as it was, an amount with its currency. `[…]` is left out where what it names is not
   * known.
   */
  sentences: Readonly<Record<`${AuditKind}.${string}`, Words>>
  /** Keys of `before` and `after`; one without words is for programs and is not shown. */
  facts: Readonly<Record<string, Words>>
  /**
   * Values that have words of their own, by the key they stand under. Those of a boolean are shown without the label.
   */
  values: Readonly<Record<string, Readonly<Record<string, Words>>>>
}
