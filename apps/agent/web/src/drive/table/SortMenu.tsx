import { ActionIcon, Menu, VisuallyHidden } from '@mantine/core'
import { IconArrowsSort } from '@tabler/icons-react'
import { useText } from '../../i18n/text.ts'
import classes from '../FileToolbar.module.css'
import { type FileOrder, type OrderKey, orderKeys } from './file-order.ts'
import { OrderArrow } from './OrderArrow.tsx'

interface SortMenuProps {
  order: FileOrder
  onOrder(key: OrderKey): void
}

/** The order of files where the table has no heads of columns to press. */
export function SortMenu({ order, onOrder }: SortMenuProps) {
  const t = useText()
  return (
    <Menu position="bottom-end" width={200} portalProps={{ target: 'main' }}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('drive.sort')} className={classes.narrow ?? ''}>
          <IconArrowsSort size={18} stroke={1.6} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {orderKeys.map((key) => (
          <Menu.Item
            key={key}
            rightSection={order.by === key && <OrderArrow descending={order.descending} />}
            onClick={() => onOrder(key)}
          >
            {t(`drive.${key}`)}
            {order.by === key && (
              <VisuallyHidden>{t(order.descending ? 'drive.descending' : 'drive.ascending')}</VisuallyHidden>
            )}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
