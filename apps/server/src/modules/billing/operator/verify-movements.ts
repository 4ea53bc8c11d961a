import type { Db } from '../../../platform/db/index.ts'
import type { MovedDispute, MovedRefund, Movements } from '../../payments/index.ts'
import '../records/card-refund-store.ts'
import '../records/dispute-store.ts'
import { type AskedGateway, GatewaySilent } from './asked-gateway.ts'
import type { BadDocument } from './verify-documents.ts'

/**
 * Holds refunds and disputes to what the gateway lists of them: those made there are here, and each dispute has what is
 * withdrawn of it on the books. Answers every difference.
 */
export async function verifyMovements(
  db: Db,
  gateway: AskedGateway,
  userid: string | undefined,
): Promise<{ differences: BadDocument[]; disputes: number }> {
  const { refunds, disputes } = await listAll(gateway)
  const owners = await ownersOf(
    db,
    gateway.name,
    [...refunds, ...disputes].map(({ paymentRef }) => paymentRef),
  )
  // Movements of payments that are unknown here are reported with the captures; if one account is verified, those of
  // others are left out.
  const isAsked = ({ paymentRef }: { paymentRef: string }) => {
    const owner = owners.get(paymentRef)
    return owner !== undefined && (userid === undefined || owner === userid)
  }
  const own = disputes.filter(isAsked)
  return {
    differences: [
      ...(await compareRefunds(db, gateway.name, refunds.filter(isAsked))),
      ...(await compareDisputes(db, gateway.name, own, userid)),
    ],
    disputes: own.length,
  }
}

async function listAll(gateway: AskedGateway): Promise<Movements> {
  const all: Movements = { refunds: [], disputes: [] }
  for (let after: string | null = null, goesOn = true; goesOn; ) {
    const page: Awaited<ReturnType<AskedGateway['listMovements']>> = await gateway.listMovements({
      since: new Date(0),
      after,
    })
    if (page.kind === 'unknown') throw new GatewaySilent(`${gateway.name} does not say what it moved: ${page.why}`)
    all.refunds.push(...page.refunds)
    all.disputes.push(...page.disputes)
    after = page.next
    goesOn = after !== null
  }
  return all
}

/** Whose payment each ref is of. */
async function ownersOf(db: Db, gateway: string, refs: readonly string[]): Promise<Map<string, string>> {
  if (refs.length === 0) return new Map()
  const of = (table: 'payments' | 'adopted_captures') =>
    db
      .selectFrom(table)
      .select(['gateway_ref as ref', 'userid'])
      .where('gateway', '=', gateway)
      .where('gateway_ref', 'in', [...new Set(refs)])
      .$narrowType<{ ref: string }>()
  const rows = await of('payments').unionAll(of('adopted_captures')).execute()
  return new Map(rows.map(({ ref, userid }) => [ref, userid]))
}

async function compareRefunds(db: Db, gateway: string, refunds: readonly MovedRefund[]): Promise<BadDocument[]> {
  if (refunds.length === 0) return []
  const ids = refunds.flatMap(({ refundId }) => refundId ?? [])
  const refs = refunds.map(({ ref }) => ref)
  const rows = await db
    .selectFrom('card_refunds')
    .select(['id', 'gateway_ref', 'state', 'amount_minor'])
    .where(({ or, eb }) => or([eb('gateway_ref', 'in', refs), ...(ids.length > 0 ? [eb('id', 'in', ids)] : [])]))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byRef = new Map(rows.map((row) => [row.gateway_ref, row]))
  return refunds.flatMap(({ ref, refundId, amount, state }) => {
    const row = (refundId === null ? undefined : byId.get(refundId)) ?? byRef.get(ref)
    const gave = `${gateway} gave ${amount.minor} ${amount.currency} back (${ref})`
    if (!row) {
      // One that failed, or is not done yet, has moved nothing that had to be written down.
      return state === 'done'
        ? [{ table: 'card_refunds', id: refundId ?? ref, problem: `${gave}, and there is no such refund` }]
        : []
    }
    const isSame = row.amount_minor === amount.minor && (row.state === 'done') === (state === 'done')
    const problem = `${gave}, which is ${state}, and here it is ${row.state} with ${row.amount_minor}`
    return isSame ? [] : [{ table: 'card_refunds', id: row.id, problem }]
  })
}

async function compareDisputes(
  db: Db,
  gateway: string,
  disputes: readonly MovedDispute[],
  userid: string | undefined,
): Promise<BadDocument[]> {
  const query = db.selectFrom('disputes').selectAll().where('gateway', '=', gateway)
  const rows = await (userid === undefined ? query : query.where('userid', '=', userid)).execute()
  const byRef = new Map(rows.map((row) => [row.gateway_ref, row]))
  const listed = new Set(disputes.map(({ ref }) => ref))
  const bad = disputes.flatMap((dispute) => {
    const { ref, withdrawn } = dispute
    const row = byRef.get(ref)
    const said = `${gateway} has withdrawn ${withdrawn.minor} ${withdrawn.currency} (${ref}), which is ${dispute.state}`
    if (!row) return [{ table: 'disputes', id: ref, problem: `${said}, and there is no such dispute` }]
    const isSame = row.withdrawn_minor === withdrawn.minor && row.state === dispute.state
    const problem = `${said}, and here ${row.withdrawn_minor} is, which is ${row.state}`
    return isSame ? [] : [{ table: 'disputes', id: row.id, problem }]
  })
  const gone = rows.filter((row) => !listed.has(row.gateway_ref))
  return [...bad, ...gone.map(({ id }) => ({ table: 'disputes', id, problem: `${gateway} knows of no such dispute` }))]
}
