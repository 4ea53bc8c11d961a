import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useText } from '../kit/i18n/text.ts'
import { showFailure } from '../kit/toast/show-toast.ts'
import type { ActivitySearch } from './activity-search.ts'
import { exportActivity } from './export-activity.ts'
import { filterOf } from './use-activity.ts'

interface ExportButtonProps {
  search: ActivitySearch
  disabled: boolean
}

/** Saves everything that the choice matches, not only the page that is shown. */
export function ExportButton({ search, disabled }: ExportButtonProps) {
  const t = useText()
  const saving = useMutation({
    mutationFn: () => exportActivity(filterOf(search, Date.now())),
    onError: showFailure,
  })
  return (
    <Button
      disabled={disabled}
      loading={saving.isPending}
      leftSection={<IconDownload size={16} stroke={1.6} aria-hidden="true" />}
      onClick={() => saving.mutate()}
    >
      {t(saving.isPending ? 'activity.exporting' : 'activity.export')}
    </Button>
  )
}
