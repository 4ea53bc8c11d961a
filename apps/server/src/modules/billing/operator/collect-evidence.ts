/**
 * Evidence for a bank about a disputed payment: that it was ordered, by whom and from where, that the service was used,
 * and what the customer was told. All facts are stored here already and belong to the account that paid; none is
 * secret.
 */
import { sql } from 'kysely'
import type { ZippedFile } from '../../../platform/archives/zip.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import { type Db, inSnapshot, type Trx } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { findName, getCreatedAt, getDid } from '../../accounts/index.ts'
import { actionsOf } from '../../audit/index.ts'
import { listMailsOf } from '../../mail/index.ts'
import { findCard } from '../../payments/index.ts'
import type { DisputeRow } from '../records/dispute-store.ts'
import { readCopies } from '../records/documents/document-copies.ts'
import { ensureStatementKey } from '../views/statement/statement-key-store.ts'
import '../usage/reading-store.ts'

/** The files, by our own id of the dispute or the gateway's; throws where there is none. */
export async function collectEvidence(
  db: Db,
  sealer: Sealer,
  which: string,
): Promise<{ disputeId: string; files: ZippedFile[] }> {
  const key = await ensureStatementKey({ db, sealer, now: new Date() })
  return await inSnapshot(db, async (trx) => {
    const dispute = await trx
      .selectFrom('disputes')
      .selectAll()
      .where(({ or, eb }) => or([eb('id', '=', which), eb('gateway_ref', '=', which)]))
      .executeTakeFirst()
    if (!dispute) throw new OperatorError(`There is no dispute ${which}: npm run admin -- disputes lists them.`)
    const order = await readOrder(trx, dispute)
    const text = JSON.stringify(order, null, 1)
    const signature = { algorithm: 'Ed25519', publicKey: key.publicKey, of: 'order.json', value: key.sign(text) }
    const use = { clusters: await readClusters(trx, dispute), readings: await readUse(trx, dispute) }
    return {
      disputeId: dispute.id,
      files: [
        fileOf('order.json', text),
        fileOf('order.signature.json', JSON.stringify(signature, null, 1)),
        fileOf('sign-ins.json', JSON.stringify(await readActions(trx, dispute, 'session.'), null, 1)),
        fileOf('actions.json', JSON.stringify(await readActions(trx, dispute, ''), null, 1)),
        fileOf('use.json', JSON.stringify(use, null, 1)),
        fileOf('mails.json', JSON.stringify(await listMailsOf(trx, dispute.userid), null, 1)),
      ],
    }
  })
}

function fileOf(name: string, text: string): ZippedFile {
  return { name, bytes: Buffer.from(`${text}\n`, 'utf8') }
}

/** The order, its payment, and the later state of that payment. */
async function readOrder(trx: Trx, dispute: DisputeRow) {
  const { userid, payment_id, capture_id } = dispute
  const account = {
    userid: await getDid(trx, userid),
    name: await findName(trx, userid),
    created_at: await getCreatedAt(trx, userid),
  }
  const payment = payment_id === null ? undefined : await readPayment(trx, payment_id)
  const invoice = payment && {
    ...(await trx.selectFrom('invoices').selectAll().where('id', '=', payment.invoice_id).executeTakeFirstOrThrow()),
    lines: await trx
      .selectFrom('invoice_items')
      .selectAll()
      .where('invoice_id', '=', payment.invoice_id)
      .orderBy('line')
      .execute(),
    // Names of then: what the customer was shown.
    shown: (await readCopies(trx, [payment.invoice_id])).get(payment.invoice_id),
  }
  const capture = trx
    .selectFrom('adopted_captures')
    .selectAll()
    .where('id', '=', capture_id ?? '')
  return { dispute, account, payment, invoice, capture: await capture.executeTakeFirst() }
}

async function readPayment(trx: Trx, id: string) {
  const payment = await trx.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
  const card = payment?.method_id ? await findCard(trx, payment.method_id) : undefined
  const { brand = null, last4 = null, created_at: card_added_at = null } = card ?? {}
  return payment && { ...payment, brand, last4, card_added_at }
}

/** The account's actions until then with their IP addresses; `prefix` selects the actions. The newest 5 000. */
async function readActions(trx: Trx, { userid }: DisputeRow, prefix: string) {
  return await actionsOf(trx, await getDid(trx, userid))
    .where(sql<string>`action`, 'like', `${prefix}%`)
    .limit(5000)
    .execute()
}

async function readClusters(trx: Trx, { userid }: DisputeRow) {
  return await trx
    .selectFrom('owned_clusters as cluster')
    .innerJoin('owned_instances as instance', 'instance.cluster_id', 'cluster.id')
    .select(['cluster.id', 'cluster.name', 'cluster.status', 'cluster.created_at'])
    .select(['instance.id as instance_id', 'instance.created_at as instance_created_at'])
    .where('cluster.owner', '=', userid)
    .orderBy('cluster.created_at')
    .execute()
}

async function readUse(trx: Trx, { userid }: DisputeRow) {
  return await trx
    .selectFrom('usage_readings')
    .select(['product_type', 'from_at', 'to_at', 'used', 'unit_label', 'parts', 'recorded_at'])
    .where('userid', '=', userid)
    .orderBy('from_at')
    .execute()
}
