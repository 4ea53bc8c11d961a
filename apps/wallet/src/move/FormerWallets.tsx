import { Notice } from '@atoll/ui'
import { formerOrigins } from '../api/runtime-config.ts'
import { useText } from '../i18n/text.ts'
import { FactStack } from '../kit/FactRows.tsx'

/** For a person whose keys may still be kept where this wallet was before: a way there for each of those addresses. */
export function FormerWallets() {
  const t = useText()
  return (
    <FactStack>
      {formerOrigins().map((origin) => (
        <Notice
          key={origin}
          tone="accent"
          title={t('receive.former', { host: new URL(origin).host })}
          action={<a href={`${origin}/move`}>{t('receive.bring')}</a>}
        >
          {t('receive.formerHelp')}
        </Notice>
      ))}
    </FactStack>
  )
}
