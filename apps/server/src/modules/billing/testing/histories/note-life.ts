/** Writes down what happened in a life: after each step, what is new in the account, in an order in which it can be. */
import type { TestClock } from '@atoll/testkit'
import type { Database } from '../../../../platform/db/index.ts'
import type { Harness } from '../billing-harness.ts'

/** One thing that happened. No amount in it was made by the server: prices, credit and readings come from outside. */
export interface Fact {
  at: string
  do: string
  [name: string]: unknown
}

export interface LifeNotes {
  facts: Fact[]
  cash: Map<number, number>
  /** Something that is seen in no document. */
  push(fact: { do: string; [name: string]: unknown }): void
  /** Notes the changes since the last call; true if a card may be charged because of them. */
  take(): Promise<boolean>
}

/** `hasCard`: whether there is a card on file. */
export function noteLife({ pool }: Database, harness: Harness, clock: TestClock, hasCard: () => boolean): LifeNotes {
  const { userid } = harness
  const facts: Fact[] = []
  const cash = new Map<number, number>()
  const pushed: Fact[] = []
  const seen = new Map<string, string>()
  const at = () => clock.now().toISOString()
  return {
    facts,
    cash,
    push: (fact) => pushed.push({ at: at(), ...fact }),
    async take() {
      const { rows } = await pool.query<Standing>(standingText, [userid])
      const changed = <Of extends { id: string; state: string }>(all: Of[] | null | undefined) =>
        (all ?? []).filter(({ id, state }) => seen.get(id) !== state)
      const [standing] = rows
      const [grants, payments] = [changed(standing?.grants), changed(standing?.payments)]
      const [invoices, items] = [changed(standing?.invoices), changed(standing?.items)]
      const notes = changed(standing?.notes)
      const sold = items.filter(({ cluster }) => cluster !== null)
      const stopped = sold.filter(({ state }) => state === 'past_due').map(({ id }) => id)
      const resumed = sold
        .filter(({ id, state }) => state === 'active' && seen.get(id) === 'past_due')
        .map(({ id }) => id)
      const isNew = ({ id }: { id: string }) => !seen.has(id)
      const released = payments.filter(({ state }) => state === 'declined' || state === 'canceled')
      const becoming = (state: string) => invoices.filter((invoice) => invoice.state === state)
      const step = [
        ...grants.filter(isNew).map(({ id, minor, expires }) => ({ do: 'grant', id, minor, expires })),
        ...items.filter(isNew).map(({ state: _, ...item }) => ({ do: 'item', ...item })),
        ...released.filter((one) => !isNew(one)).map(releasedFact),
        ...(stopped.length > 0 ? [{ do: 'stopped', items: stopped }] : []),
        ...becoming('void').map(({ id }) => ({ do: 'void', invoice: id })),
        ...becoming('uncollectible').map(({ id }) => ({ do: 'givenUp', invoice: id })),
        ...pushed.filter((fact) => fact.do !== 'plan'),
        ...(notes.length > 0 ? [{ do: 'corrected' }] : []),
        ...invoices.filter(isNew).map(({ id, kind, items: of }) => ({ do: 'issued', invoice: id, kind, items: of })),
        ...pushed.filter((fact) => fact.do === 'plan'),
        ...payments.filter(isNew).map(({ id, invoice }) => ({ do: 'began', payment: id, invoice, card: hasCard() })),
        ...payments.filter(({ state }) => state === 'succeeded').map(({ id }) => ({ do: 'paid', payment: id })),
        ...(resumed.length > 0 ? [{ do: 'resumed', items: resumed }] : []),
        ...released.filter(isNew).map(releasedFact),
      ]
      pushed.length = 0
      facts.push(...step.map((fact) => ({ at: at(), ...fact })))
      for (const { id, state } of [...grants, ...payments, ...invoices, ...items, ...notes]) seen.set(id, state)
      if (step.length > 0) cash.set(facts.length, Number(standing?.cash ?? 0))
      return payments.some(({ state }) => state === 'created')
    },
  }
}

/** A card that was declined covered what was used until then. */
function releasedFact({ id, state }: { id: string; state: string }) {
  return { do: 'released', payment: id, declined: state === 'declined' }
}

type Row<More> = { id: string; state: string } & More
interface Standing {
  cash: string | null
  grants: Row<{ minor: number; expires: string | null }>[] | null
  payments: Row<{ invoice: string }>[] | null
  invoices: Row<{ kind: string; items: string[] }>[] | null
  /** Of usage. */
  notes: Row<object>[] | null
  items: Row<{ sub: string; cluster: string | null; price: number; level: number | null }>[] | null
}
/** All in one question, because it is asked after each step. */
const standingText = `select
  (select balance_minor from ledger_balances where book = $1 and account = 'cash') as cash,
  (select json_agg(json_build_object('id', id, 'state', '', 'minor', amount_minor, 'expires', expires_at)) from promo_grants where userid = $1) as grants,
  (select json_agg(json_build_object('id', id, 'state', state, 'invoice', invoice_id) order by created_at, id) from payments where userid = $1) as payments,
  (select json_agg(json_build_object('id', id, 'state', state, 'kind', kind, 'items',
      (select json_agg(item_id order by line) from invoice_items where invoice_id = invoices.id)) order by number)
    from invoices where userid = $1) as invoices,
  (select json_agg(json_build_object('id', note.id, 'state', '')) from credit_notes note join invoices on invoices.id = invoice_id
    where note.userid = $1 and kind = 'usage') as notes,
  (select json_agg(json_build_object('id', item.id, 'state', item.state, 'sub', subscription_id, 'cluster', cluster_id,
      'price', (terms::json ->> 'amount')::int, 'level', (terms::json ->> 'level')::int) order by item.created_at, item.id)
    from subscription_items item join subscriptions on subscriptions.id = subscription_id join prices on prices.id = price_id
    where item.userid = $1) as items`
