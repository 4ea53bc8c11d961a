/**
 * The small signed file beside each repository: its owner and its plan, so that a plan which is missing in a restored
 * database can be created again. It contains no secret. It is signed with the deployment's key; otherwise anybody who
 * can write to the disk or bucket of the vault could give a repository to another account.
 */
import { BackupName, BackupPaths, BackupSchedule, KeepRules, TimeZone } from '@atoll/contract/backups'
import { z } from 'zod'
import type { Sealer } from '../../../platform/crypto.ts'

const PlanFile = z.object({
  v: z.literal(1),
  repository: z.string(),
  owner: z.string(),
  cluster: z.string(),
  formerClusters: z.array(z.string()),
  plan: z.object({
    id: z.string(),
    name: BackupName,
    paths: BackupPaths,
    schedule: BackupSchedule,
    timeZone: TimeZone,
    keep: KeepRules,
    /** Whether it runs at its slots. */
    runs: z.boolean(),
    createdAt: z.iso.datetime(),
  }),
})
export type PlanFile = z.infer<typeof PlanFile>

const Signed = z.object({ file: z.string(), signature: z.string() })

/** The text of the file. */
export function signPlanFile(sealer: Pick<Sealer, 'derive'>, content: PlanFile): string {
  const file = JSON.stringify(content)
  return `${JSON.stringify({ file, signature: signatureOf(sealer, file) })}\n`
}

/** Undefined: nobody with this key wrote it, or it was changed since. */
export function readPlanFile(sealer: Pick<Sealer, 'accepts'>, text: string): PlanFile | undefined {
  try {
    const { file, signature } = Signed.parse(JSON.parse(text))
    if (!sealer.accepts('plan file', file, signature)) return undefined
    return PlanFile.parse(JSON.parse(file))
  } catch {
    return undefined // the caller names the repository
  }
}

function signatureOf({ derive }: Pick<Sealer, 'derive'>, file: string): string {
  return derive('plan file', file)
}
