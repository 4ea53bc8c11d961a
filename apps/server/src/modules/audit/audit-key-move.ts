import { readSeals, sealAgain } from '../../platform/chain/index.ts'
import type { KeyMove, KeyMoveDeps } from '../../platform/keys/index.ts'
import { chainsOf, verifyAudit } from './verify-audit.ts'

async function listOld({ db, sealer }: KeyMoveDeps) {
  const seals = await db.selectFrom('audit_seals').select(['seq', 'hash', 'mac']).orderBy('seq').execute()
  return (await readSeals(db, sealer, seals, chainsOf)).filter(({ isCurrent }) => !isCurrent)
}

/** The seals of the log, made again once the whole log was verified with the keys before. */
export const auditKeyMove: KeyMove = {
  count: async (deps) => (await listOld(deps)).length,
  async move(deps) {
    const old = await listOld(deps)
    if (old.length === 0) return
    const verdict = await verifyAudit(deps.db, { sealer: deps.sealer })
    if (!verdict.whole) throw new Error(`the audit log breaks at record ${verdict.seq}: ${verdict.problem}`)
    await sealAgain(deps.db, deps.sealer, old)
  },
}
