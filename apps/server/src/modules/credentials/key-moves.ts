import { type KeyMove, sealedColumn } from '../../platform/keys/index.ts'
import './stores/issuer-key-store.ts'

export const credentialKeyMoves = {
  'key of credentials': sealedColumn({ use: 'key of credentials', table: 'issuer_keys', key: 'did', column: 'sealed' }),
} satisfies Record<string, KeyMove>
