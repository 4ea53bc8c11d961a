import { EmptyState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useText } from '../i18n/text.ts'

interface EmptyFolderProps {
  isRoot: boolean
  onChoose(): void
}

const inside = getRouteApi('/_signed')

/** Nothing in this folder yet: what it is for, and the one next step. */
export function EmptyFolder({ isRoot, onChoose }: EmptyFolderProps) {
  const t = useText()
  const { product } = inside.useRouteContext().status
  return (
    <EmptyState
      title={t('drive.emptyTitle')}
      actions={
        <Button size="lg" onClick={onChoose}>
          {t('drive.upload')}
        </Button>
      }
    >
      {isRoot ? t('drive.emptyRoot', { product }) : t('drive.emptyFolder')}
    </EmptyState>
  )
}
