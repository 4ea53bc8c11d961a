import { type KeyMove, sealedColumn, together } from '../../platform/keys/index.ts'
import './stores/certificate-store.ts'
import './stores/order-store.ts'
import './acme/account-store.ts'

const column = 'sealed_key'

export const certificateKeyMoves = {
  'certificate key': together(
    sealedColumn({ use: 'certificate key', table: 'acme_orders', key: 'id', column }),
    sealedColumn({ use: 'certificate key', table: 'certificates', key: 'id', column }),
  ),
  'key at the authority': sealedColumn({
    use: 'key at the authority',
    table: 'acme_accounts',
    key: 'directory',
    column,
  }),
} satisfies Record<string, KeyMove>
