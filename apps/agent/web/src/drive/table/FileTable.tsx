import type { DriveFound } from '@atoll/contract/personal-server'
import { UnstyledButton } from '@mantine/core'
import { useText } from '../../i18n/text.ts'
import { Pick } from '../selection/Pick.tsx'
import type { Selection } from '../selection/use-selection.ts'
import type { FileAction } from './FileMenu.tsx'
import { FileRow } from './FileRow.tsx'
import classes from './FileTable.module.css'
import { type FileOrder, type OrderKey, orderKeys } from './file-order.ts'
import { OrderArrow } from './OrderArrow.tsx'

interface FileTableProps {
  /** In the order they are shown. */
  entries: readonly DriveFound[]
  order: FileOrder
  /** Whether each says where it lies. */
  showsPlace: boolean
  selection: Selection
  onOrder(key: OrderKey): void
  onAction(action: FileAction, entry: DriveFound): void
}

/** Files and folders; the heads of the columns sort them. */
export function FileTable({ entries, order, showsPlace, selection, onOrder, onAction }: FileTableProps) {
  const t = useText()
  const chosen = selection.items.length
  const sortOf = (key: OrderKey) => {
    if (order.by !== key) return {}
    return { 'aria-sort': order.descending ? 'descending' : 'ascending' } as const
  }
  return (
    <div className={classes.card}>
      <table className={classes.table} aria-label={t('drive.root')}>
        <thead>
          <tr>
            <td className={classes.pick}>
              <Pick
                label={t('select.all')}
                checked={chosen === entries.length}
                mixed={chosen > 0 && chosen < entries.length}
                onChange={selection.toggleAll}
              />
            </td>
            {orderKeys.map((key) => (
              <th key={key} scope="col" {...sortOf(key)} className={key === 'name' ? undefined : classes.right}>
                <UnstyledButton className={classes.sort} onClick={() => onOrder(key)}>
                  {t(`drive.${key}`)}
                  {order.by === key && <OrderArrow descending={order.descending} />}
                </UnstyledButton>
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <FileRow key={entry.path} entry={entry} showsPlace={showsPlace} selection={selection} onAction={onAction} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
