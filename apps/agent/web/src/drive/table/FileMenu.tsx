import type { DriveFound } from '@atoll/contract/personal-server'
import { ActionIcon, Menu } from '@mantine/core'
import { IconCursorText, IconDots, IconDownload, IconEye, IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import { fileAddress } from '../../api/server.ts'
import { type TextKey, useText } from '../../i18n/text.ts'
import { findPreviewKind } from '../preview/preview-kind.ts'
import classes from './FileTable.module.css'

/** Actions of a row's menu, besides downloading. */
export type FileAction = 'preview' | 'rename' | 'move' | 'delete'

interface FileMenuProps {
  entry: DriveFound
  onAction(action: FileAction): void
}

const actions: { action: FileAction; label: TextKey; icon: typeof IconTrash }[] = [
  { action: 'rename', label: 'drive.rename', icon: IconCursorText },
  { action: 'move', label: 'drive.move', icon: IconFolderSymlink },
  { action: 'delete', label: 'drive.delete', icon: IconTrash },
]

/** Actions on one entry. */
export function FileMenu({ entry, onAction }: FileMenuProps) {
  const t = useText()
  const name = t('drive.actions', { name: entry.name })
  return (
    <Menu position="bottom-end" width={180} portalProps={{ target: 'main' }}>
      <Menu.Target>
        <ActionIcon aria-label={name} title={name} className={classes.dots ?? ''}>
          <IconDots size={18} stroke={1.6} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {entry.kind === 'file' && findPreviewKind(entry.name) && (
          <Menu.Item
            leftSection={<IconEye size={16} stroke={1.6} aria-hidden="true" />}
            onClick={() => onAction('preview')}
          >
            {t('drive.preview')}
          </Menu.Item>
        )}
        {entry.kind === 'file' && (
          <Menu.Item
            component="a"
            href={fileAddress(entry.path)}
            download={entry.name}
            leftSection={<IconDownload size={16} stroke={1.6} aria-hidden="true" />}
          >
            {t('drive.download')}
          </Menu.Item>
        )}
        {actions.map(({ action, label, icon: Icon }) => (
          <Menu.Item
            key={action}
            leftSection={<Icon size={16} stroke={1.6} aria-hidden="true" />}
            {...(action === 'delete' && { color: 'var(--atoll-coral)' })}
            onClick={() => onAction(action)}
          >
            {t(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
