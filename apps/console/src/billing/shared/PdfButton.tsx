import { invoicePdfPath } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import { languageNames } from '@atoll/ui/i18n'
import { ActionIcon, Button } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { showFailure } from '../../data/show-toast.ts'
import { downloadFile } from '../../kit/files/download-file.ts'
import { useLocale, useText } from '../../locales/text.ts'

interface PdfButtonProps {
  invoice: { invoiceId: string; number: string }
}

function usePdf({ invoiceId, number }: PdfButtonProps['invoice']) {
  return useMutation({
    mutationFn: (lang: Locale) =>
      downloadFile({
        path: `${invoicePdfPath(invoiceId) as `/${string}`}?lang=${lang}`, // it begins with a slash
        type: 'application/pdf',
        name: `${number}.pdf`,
      }),
    onError: showFailure,
  })
}

/** Saves an invoice in the reader's language. */
export function PdfIcon({ invoice }: PdfButtonProps) {
  const t = useText()
  const locale = useLocale()
  const saving = usePdf(invoice)
  const label = t('money.pdfOf', { number: invoice.number })
  return (
    <ActionIcon
      size={30}
      variant="subtle"
      aria-label={label}
      data-tip={label}
      loading={saving.isPending}
      onClick={() => saving.mutate(locale)}
    >
      <IconFileDownload size={16} stroke={1.6} aria-hidden="true" />
    </ActionIcon>
  )
}

/** Saves an invoice in either language. */
export function PdfButtons({ invoice }: PdfButtonProps) {
  const t = useText()
  const saving = usePdf(invoice)
  return languageNames.map(({ locale: lang, name }) => (
    <Button
      key={lang}
      size="xs"
      leftSection={<IconFileDownload size={15} stroke={1.6} aria-hidden="true" />}
      loading={saving.isPending && saving.variables === lang}
      onClick={() => saving.mutate(lang)}
    >
      {t('money.pdfIn', { language: name })}
    </Button>
  ))
}
