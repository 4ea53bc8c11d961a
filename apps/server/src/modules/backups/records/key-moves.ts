import type { KeyMove } from '../../../platform/keys/index.ts'
import { countOutdated } from './plan-file-store.ts'

export const backupKeyMoves = {
  // The vault writes anew each file whose text is not of now, and whose key it is belongs to that.
  'plan file': { count: async ({ db, sealer }) => await countOutdated(db, sealer) },
} satisfies Record<string, KeyMove>
