import { statementPath } from '@atoll/contract/billing'
import { IconShieldCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { showFailure } from '../../data/show-toast.ts'
import { downloadFile, fileDay } from '../../kit/files/download-file.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useText } from '../../locales/text.ts'

/** The statement's file name: the command that checks it names it. */
export function statementName(): string {
  return `statement-${fileDay()}.json`
}

/** Saves the signed statement of all the account's money, which anybody can check offline. */
export function StatementButton({ size }: { size?: 'xs' }) {
  const t = useText()
  const saving = useMutation({
    mutationFn: () => downloadFile({ path: statementPath, type: 'application/json', name: statementName() }),
    onError: showFailure,
  })
  return (
    <ChangeButton
      {...(size && { size })}
      loading={saving.isPending}
      leftSection={<IconShieldCheck size={16} stroke={1.6} aria-hidden="true" />}
      onClick={() => saving.mutate()}
    >
      {t('money.statement')}
    </ChangeButton>
  )
}
