import type { KeyMove } from '../../../platform/keys/index.ts'
import { countOutdated } from './plan-file-store.ts'

export const backupKeyMoves = {
  // The vault rewrites each plan file whose text is out of date, and the signing key is part of the text.
  'plan file': { count: async ({ db, sealer }) => await countOutdated(db, sealer) },
} satisfies Record<string, KeyMove>
