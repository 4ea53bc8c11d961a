import { type DomainDetail, domainRuleSet, mostSuffixes, type RuleType, ruleTypes } from '@atoll/contract/domains'
import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import dialog from '../../kit/dialog/Dialog.module.css'
import { ChoiceCard } from '../../kit/form/ChoiceCard.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { useText } from '../../locales/text.ts'
import classes from '../Detail.module.css'

interface RuleFormProps {
  detail: DomainDetail
  onDone?: () => void
  /** Around the button that sends. */
  footer: (submit: ReactNode) => ReactNode
}

/** The rule for joining: everybody with an email at one of these domains, or the invited only (spec §5). */
export function RuleForm({ detail, onDone, footer }: RuleFormProps) {
  const t = useText()
  const { domain, rule_type: current, rule_data: suffixes } = detail
  const [ruleType, setRuleType] = useState<RuleType>(current ?? 'fixed_email_suffix')
  const bySuffix = ruleType === 'fixed_email_suffix'
  const form = useCallForm(domainRuleSet, {
    values: { ruleData: suffixes?.replaceAll(',', ', ') ?? '' },
    rest: { domain, ruleType },
  })
  return (
    <form onSubmit={form.submit(onDone)} noValidate>
      <div className={dialog.choices} role="radiogroup" aria-label={t('domains.ruleTitle')}>
        {ruleTypes.map((each) => (
          <ChoiceCard
            key={each}
            group="rule"
            value={each}
            mark="left"
            chosen={ruleType === each}
            onChoose={() => setRuleType(each)}
          >
            <span className={dialog.choice}>{t(`domains.rule.${each}`)}</span>
            <span className={dialog.choiceHelp}>{t(`domains.ruleHelp.${each}`)}</span>
          </ChoiceCard>
        ))}
      </div>
      {bySuffix && (
        <div className={classes.ruleField}>
          <TextInput
            {...form.field('ruleData', t('domains.suffixHelp', { most: mostSuffixes }))}
            label={t('domains.suffixes')}
            placeholder={t('domains.suffixExample')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </div>
      )}
      <p className={dialog.help}>{t('domains.gmail')}</p>
      <FailureNotice error={form.error} className={dialog.failure} />
      {footer(
        <ChangeButton type="submit" variant="filled" loading={form.isPending}>
          {t('domains.ruleSave')}
        </ChangeButton>,
      )}
    </form>
  )
}
