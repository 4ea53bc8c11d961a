import { IconTableExport } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { showFailure } from '../../data/show-toast.ts'
import { useText } from '../../locales/text.ts'
import { downloadFile, fileDay } from '../files/download-file.ts'
import { ChangeButton } from '../page/ChangeButton.tsx'

interface ExportButtonProps {
  path: `/${string}`
  /** The list's filters, when it is pressed. */
  body: () => Record<string, unknown>
  /** Of the file, before the day: 'activity'. */
  name: string
  disabled: boolean
}

/** Saves everything that the choice matches, not only the page that is shown. */
export function ExportButton({ path, body, name, disabled }: ExportButtonProps) {
  const t = useText()
  const saving = useMutation({
    mutationFn: () => downloadFile({ path, body: body(), type: 'text/csv', name: `${name}-${fileDay()}.csv` }),
    onError: showFailure,
  })
  return (
    <ChangeButton
      disabled={disabled}
      loading={saving.isPending}
      leftSection={<IconTableExport size={16} stroke={1.6} aria-hidden="true" />}
      onClick={() => saving.mutate()}
    >
      {t(saving.isPending ? 'table.exporting' : 'table.export')}
    </ChangeButton>
  )
}
