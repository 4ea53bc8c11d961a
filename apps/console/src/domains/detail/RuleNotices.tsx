import type { DomainDetail } from '@atoll/contract/domains'
import { Notice } from '@atoll/ui'
import { useLocale, useText } from '../../locales/text.ts'

/** That the rule of who may join was refused, or lets anybody join. */
export function RuleNotices({ detail: { ruleRefused, ruleProviders } }: { detail: DomainDetail }) {
  const t = useText()
  const providers = new Intl.ListFormat(useLocale()).format(ruleProviders)
  return (
    <>
      {ruleProviders.length > 0 && (
        <Notice tone="amber" role="status" title={t('domains.ruleOpen', { providers })}>
          {t('domains.ruleOpenHelp')}
        </Notice>
      )}
      {ruleRefused !== null && (
        <Notice tone="amber" role="status" title={t('domains.ruleRefused', { provider: ruleRefused })}>
          {t('domains.ruleRefusedHelp')}
        </Notice>
      )}
    </>
  )
}
