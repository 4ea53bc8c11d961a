/**
 * Items that need a person's attention (the operator's Overview). A module exports a query that returns the items which
 * hold now, none where all is well; `composition/attention.ts` registers it with its kind, and `modules/staff` runs all
 * of them every 30 s and whenever the page is opened. An item appears when its query first returns it and disappears
 * when the query no longer does; a query that throws leaves its items as they were.
 *
 * To add a kind: its name in `packages/contract/src/staff/attention.ts`; its two texts in both languages
 * (`operator.attention.<kind>`, `<kind>Text`, with the facts that they name) and its icon and page in the console's
 * `operator/overview/attention-looks.ts`; the query in the module that owns the tables; a line in
 * `composition/attention.ts`. A query runs often: it needs an index, not a scan.
 */
import type { AttentionFact, AttentionKind, AttentionSeverity } from '@atoll/contract/staff'

export interface Attention {
  /** Which one of its kind, for good; left out where there is one at most. */
  key?: string
  severity: AttentionSeverity
  /** When the condition began; left out: when it was found first. */
  since?: Date
  /** Values for the placeholders of its texts; `count` also chooses singular or plural. */
  facts: Readonly<Record<string, AttentionFact>>
  /** The object that its page opens; left out: the page as a whole. */
  object?: string
}

export interface AttentionSource {
  kind: AttentionKind
  find(): Promise<readonly Attention[]>
}
