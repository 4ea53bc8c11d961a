import type { SnapshotItem } from '@atoll/contract/personal-server-backups'
import { lookUp } from '@atoll/contract/wire'
import { formatBytes } from '@atoll/ui/i18n'
import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowBackUp, IconDots, IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type SnapshotRef, snapshotFileAddress } from '../api/backups.ts'
import { tipOfName } from '../drive/cut-name.ts'
import { FileName } from '../drive/FileName.tsx'
import { FileIcon } from '../drive/table/FileIcon.tsx'
import table from '../drive/table/FileTable.module.css'
import { useLocale, useText } from '../i18n/text.ts'
import { formatWhen } from '../i18n/times.ts'
import { readableName } from './put-back-names.ts'

interface SnapshotRowProps {
  snapshot: SnapshotRef
  item: SnapshotItem
  /** Its own. */
  path: string
  onPutBack(): void
  /** Of a folder. */
  onZip(): void
}

/** One entry of a backup: its name opens a folder and downloads a file. */
export function SnapshotRow({ snapshot, item, path, onPutBack, onZip }: SnapshotRowProps) {
  const t = useText()
  const locale = useLocale()
  const when = formatWhen(Date.parse(item.modifiedAt), Date.now(), locale)
  const size = item.kind === 'file' ? formatBytes(item.size, locale) : ''
  const name = readableName(item.name)
  const isWhole = item.kind === 'file' || item.kind === 'folder'
  const kinds = { file: size, folder: t('backups.folder'), link: t('backups.link'), other: t('backups.other') }
  const says = lookUp(kinds, item.kind, item.kind)
  const download = <IconDownload size={16} stroke={1.6} aria-hidden="true" />
  const tip = tipOfName(name)
  const inside = (
    <>
      <FileIcon entry={{ name, kind: item.kind === 'folder' ? 'folder' : 'file' }} />
      <span className={table.words}>
        <span className={table.name}>
          <FileName name={name} />
        </span>
        <span className={table.below}>{[says, when].join(' · ')}</span>
      </span>
    </>
  )
  return (
    <tr className={table.row}>
      <td className={table.main}>
        {item.kind === 'folder' && (
          <Link
            to="/backups/$backupId/$snapshotId"
            params={{ ...snapshot }}
            search={{ path }}
            className={table.open}
            data-tip={tip}
            preload={false}
          >
            {inside}
          </Link>
        )}
        {item.kind === 'file' && (
          <a href={snapshotFileAddress(snapshot, path)} download={name} className={table.open} data-tip={tip}>
            {inside}
          </a>
        )}
        {!isWhole && <div className={table.open}>{inside}</div>}
      </td>
      <td className={table.figure}>{isWhole ? size : says}</td>
      <td className={table.figure}>
        <time dateTime={item.modifiedAt}>{when}</time>
      </td>
      <td className={table.menu}>
        {isWhole && (
          <Menu position="bottom-end" width={220} portalProps={{ target: 'main' }}>
            <Menu.Target>
              <ActionIcon aria-label={t('drive.actions', { name })} className={table.dots ?? ''}>
                <IconDots size={18} stroke={1.6} aria-hidden="true" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {item.kind === 'folder' ? (
                <Menu.Item leftSection={download} onClick={onZip}>
                  {t('backups.downloadZip')}
                </Menu.Item>
              ) : (
                <Menu.Item
                  component="a"
                  href={snapshotFileAddress(snapshot, path)}
                  download={name}
                  leftSection={download}
                >
                  {t('drive.download')}
                </Menu.Item>
              )}
              <Menu.Item
                leftSection={<IconArrowBackUp size={16} stroke={1.6} aria-hidden="true" />}
                onClick={onPutBack}
              >
                {t('backups.putBack')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </td>
    </tr>
  )
}
