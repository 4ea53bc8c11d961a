import { type KeyMove, sealedColumn } from '../../platform/keys/index.ts'
import './stores/erasure-store.ts'

const archive = { table: 'erased_documents', key: 'document_id', column: 'box' } as const

export const rightsKeyMoves = {
  'archive of erased accounts': sealedColumn({ use: 'archive of erased accounts', ...archive }),
} satisfies Record<string, KeyMove>
