import { invoicePdfPath } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import { languageNames } from '@atoll/ui/i18n'
import { ActionIcon } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { showFailure } from '../../data/show-toast.ts'
import { useLookRefusal } from '../../kit/browser/use-change-refusal.ts'
import { downloadFile } from '../../kit/files/download-file.ts'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
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
  const refused = useLookRefusal()
  const label = t('money.pdfOf', { number: invoice.number })
  return (
    <ActionIcon
      size={30}
      variant="subtle"
      aria-label={label}
      loading={saving.isPending}
      {...refusedButton(refused)}
      data-tip={refused ?? label}
      onClick={refused === undefined ? () => saving.mutate(locale) : undefined}
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
    <ChangeButton
      key={lang}
      size="xs"
      leftSection={<IconFileDownload size={15} stroke={1.6} aria-hidden="true" />}
      loading={saving.isPending && saving.variables === lang}
      onClick={() => saving.mutate(lang)}
    >
      {t('money.pdfIn', { language: name })}
    </ChangeButton>
  ))
}
