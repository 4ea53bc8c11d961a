import { type Backup, backupForget, backupPin, backupTakeBack, type Snapshot } from '@atoll/contract/backups'
import { type Icon, IconArrowBackUp, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useLookRefusal } from '../../kit/browser/use-change-refusal.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { ActionItems } from '../../kit/menu/ActionItems.tsx'
import type { LoadedMenuProps } from '../../kit/menu/MenuButton.tsx'
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
  const refused = useLookRefusal()
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
    <ActionItems
      trigger={trigger}
      actions={snapshot.actions.map((key) => ({
        key,
        place: 'menu',
        icon: icons[key],
        label: t(key === 'forget' ? 'backups.forget' : `backups.snapshotAct.${key}`),
        disabledReason: refused,
        onSelect: acts[key],
      }))}
    />
  )
}
