import { z } from 'zod'
import type { ZippedFile } from '../../platform/archives/zip.ts'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db/index.ts'
import { recordAudit } from '../audit/index.ts'
import { listSealed } from './stores/erasure-store.ts'

/** As `sealDocuments` seals them. */
const Sealed = z.object({
  content: z.unknown(),
  files: z.array(z.object({ locale: z.string(), stands: z.string(), pdf: z.string() })),
})

/** The issued documents of an erased account, as they were: facts and paper of each. Recorded where there are any. */
export async function openArchive(
  db: Db,
  sealer: Pick<Sealer, 'open'>,
  { accountId }: { accountId: string },
): Promise<ZippedFile[]> {
  return await db.transaction().execute(async (trx) => {
    const sealed = await listSealed(trx, accountId)
    const files = sealed.flatMap(({ document_id: id, box }) => {
      const { content, files: papers } = Sealed.parse(JSON.parse(sealer.open('archive of erased accounts', box)))
      return [
        { name: `${id}.json`, bytes: Buffer.from(`${JSON.stringify(content, null, 2)}\n`) },
        ...papers.map(({ locale, stands, pdf }) => ({
          name: `${id}-${locale}-${stands}.pdf`,
          bytes: Buffer.from(pdf, 'base64'),
        })),
      ]
    })
    if (files.length > 0)
      await recordAudit(trx, {
        actor: 'system',
        ip: null,
        action: 'support.openArchive',
        object: { kind: 'support', id: accountId, owner: accountId },
      })
    return files
  })
}
