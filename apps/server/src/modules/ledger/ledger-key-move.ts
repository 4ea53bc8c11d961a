import { readSeals, sealAgain } from '../../platform/chain/index.ts'
import type { KeyMove, KeyMoveDeps } from '../../platform/keys/index.ts'
import { sealedChains } from './ledger-chain.ts'
import { verifyLedger } from './verify-ledger.ts'
import { listBooks, listSeals } from './verify-rows.ts'

async function listOld({ db, sealer }: KeyMoveDeps) {
  const old = []
  for (const book of await listBooks(db, undefined)) {
    const seals = await listSeals(db, book.userid)
    old.push(...(await readSeals(db, sealer, seals, ({ at }) => sealedChains(book, at))))
  }
  return old.filter(({ isCurrent }) => !isCurrent)
}

/** The seals of all books, made again once the whole ledger was verified with the keys before. */
export const ledgerKeyMove: KeyMove = {
  count: async (deps) => (await listOld(deps)).length,
  async move(deps) {
    const old = await listOld(deps)
    if (old.length === 0) return
    const verdict = await verifyLedger(deps.db, { sealer: deps.sealer })
    if (!verdict.whole)
      throw new Error(`the ledger breaks at ${verdict.table} ${verdict.key.join(' ')}: ${verdict.problem}`)
    await sealAgain(deps.db, deps.sealer, old)
  },
}
