import { type Backup, backupForget, backupPin, backupTakeBack, type Snapshot } from '@atoll/contract/backups'
import { Menu } from '@mantine/core'
import { type Icon, IconArrowBackUp, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import type { LoadedMenuProps } from '../../kit/menu/MenuButton.tsx'
import { OpenMenu } from '../../kit/menu/OpenMenu.tsx'
import { useText } from '../../locales/text.ts'

export interface SnapshotItemsProps {
  backup: Backup
  snapshot: Snapshot
  /** When it was taken, as the table says it. */
  time: string
}

const icons: Record<Snapshot['actions'][number], Icon> = {
  pin: IconPin,
  unpin: IconPinnedOff,
  forget: IconTrash,
  takeBack: IconArrowBackUp,
}

/** A pinned snapshot is forgotten after the name of its backup was typed. */
export function SnapshotItems({ backup, snapshot, time, trigger }: SnapshotItemsProps & LoadedMenuProps) {
  const t = useText()
  const { backupId, name } = backup
  const { snapshotId, pin: isPinned } = snapshot
  const pin = useCallMutation(backupPin, { toast: true })
  const takeBack = useCallMutation(backupTakeBack, { toast: true })
  const acts: Record<Snapshot['actions'][number], () => void> = {
    pin: () => pin.mutate({ backupId, snapshotId, pinned: true }),
    unpin: () => pin.mutate({ backupId, snapshotId, pinned: false }),
    takeBack: () => takeBack.mutate({ backupId, snapshotId }),
    forget: () =>
      confirm({
        title: t('backups.forgetTitle', { time }),
        lost: [t('backups.forgetText'), ...(isPinned ? [t('backups.forgetPinned')] : [])],
        ...(isPinned && { typed: name }),
        keep: t('backups.forgetKeep'),
        act: t('backups.forgetAct'),
        danger: true,
        run: { call: backupForget, body: { backupId, snapshotId, ...(isPinned && { name }) } },
      }),
  }
  return (
    <OpenMenu trigger={trigger} width={208}>
      {snapshot.actions.map((action) => {
        const ActIcon = icons[action]
        return (
          <Menu.Item
            key={action}
            leftSection={<ActIcon size={16} stroke={1.6} aria-hidden="true" />}
            onClick={acts[action]}
          >
            {t(action === 'forget' ? 'backups.forget' : `backups.snapshotAct.${action}`)}
          </Menu.Item>
        )
      })}
    </OpenMenu>
  )
}
