import { unreadableRows } from '@atoll/contract/wire'
import { useText } from '../../locales/text.ts'

/** As `UnreadableRows`, in a table. */
export function UnreadableCells({ of, columns }: { of: object | undefined; columns: number }) {
  const t = useText()
  return Array.from({ length: unreadableRows(of) }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: nothing else is known of them
    <tr key={at} data-unreadable>
      <td colSpan={columns}>{t('common.unreadable')}</td>
    </tr>
  ))
}
