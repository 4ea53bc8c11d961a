import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { MenuButton } from '../../kit/menu/MenuButton.tsx'
import { useText } from '../../locales/text.ts'
import type { SnapshotItemsProps } from './SnapshotItems.tsx'

const load = () => import('./SnapshotItems.tsx').then((module) => module.SnapshotItems)

/** Pinning, forgetting and taking back one snapshot; nothing where neither is possible. */
export function SnapshotMenu(props: SnapshotItemsProps) {
  const t = useText()
  if (props.snapshot.actions.length === 0) return null
  const label = t('backups.actionsOf', { time: props.time })
  return (
    <MenuButton
      load={load}
      props={props}
      trigger={
        <ActionIcon variant="subtle" size={30} aria-label={label} data-tip={label}>
          <IconDots size={16} stroke={1.6} />
        </ActionIcon>
      }
    />
  )
}
