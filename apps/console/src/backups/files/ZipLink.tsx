import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useClusterList, useInit } from '../../data/home-queries.ts'
import { useText } from '../../locales/text.ts'
import { type Choice, folderOf, isPlain, readableName } from './choice.ts'

interface ZipLinkProps {
  clusterId: string
  backupId: string
  /** Of the snapshot, as the personal server names it. */
  resticId: string | null
  choice: Choice
}

/**
 * Opens the chosen files' folder at the personal server, which makes an archive of it; nothing without a serving one.
 */
export function ZipLink({ clusterId, backupId, resticId, choice }: ZipLinkProps) {
  const t = useText()
  const cluster = useClusterList(useInit().data).data?.find((each) => each.clusterId === clusterId)
  const folder = folderOf(choice)
  if (!cluster?.url || cluster.status !== 'running' || resticId === null || !isPlain(folder)) return null
  const address = new URL(`/backups/${backupId}/${resticId}`, cluster.url)
  if (folder !== '/') address.searchParams.set('path', folder)
  return (
    <>
      <Button
        component="a"
        href={address.href}
        target="_blank"
        rel="noopener"
        fullWidth
        variant="subtle"
        leftSection={<IconDownload size={16} stroke={1.6} aria-hidden="true" />}
      >
        {t('backups.look.zip')}
      </Button>
      <p className="quiet">
        {t('backups.look.zipHelp', {
          folder: readableName(folder === '/' ? cluster.name : folder),
          cluster: cluster.name,
        })}
      </p>
    </>
  )
}
