/**
 * What needs a person (the operator's Overview). A module that knows of something exports a query that answers the
 * items which hold now, none where all is well; `composition/attention.ts` names it with its kind, and `modules/staff`
 * asks all of them every half minute and whenever the page is opened. An item appears when it is answered first and goes
 * when it is not answered any more; a query that throws leaves its items as they were.
 *
 * To add a kind: its name in `packages/contract/src/staff/attention.ts`; its two texts in both languages
 * (`operator.attention.<kind>`, `<kind>Text`, with the facts that they name) and its icon and page in the console's
 * `operator/overview/attention-looks.ts`; the query in the module that owns the tables; a line in
 * `composition/attention.ts`. A query is asked often: it needs an index, not a scan.
 */
import type { AttentionFact, AttentionKind, AttentionSeverity } from '@atoll/contract/staff'

export interface Attention {
  /** Which one of its kind, for good; left out where there is one at most. */
  key?: string
  severity: AttentionSeverity
  /** When the condition began; left out: when it was found first. */
  since?: Date
  /** What its texts name; `count` also chooses singular or plural. */
  facts: Readonly<Record<string, AttentionFact>>
  /** What its page opens; left out: the page as a whole. */
  object?: string
}

export interface AttentionSource {
  kind: AttentionKind
  find(): Promise<readonly Attention[]>
}
