import { mostSuffixes, type RuleType, ruleTypes } from '@atoll/contract/domains'
import { TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useText } from '../i18n/text.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import classes from './RuleScreen.module.css'
import type { Rule } from './use-domain.ts'

interface RuleScreenProps {
  heading: string
  lead: string
  busy: boolean
  /** Why the last press came to nothing. */
  obstacle: ReactNode
  onRule(rule: Rule): void
}

/** The rule for joining: everybody with an email at one of some domains, or the invited only (spec §5). */
export function RuleScreen({ heading, lead, busy, obstacle, onRule }: RuleScreenProps) {
  const t = useText()
  const [ruleType, setRuleType] = useState<RuleType>('fixed_email_suffix')
  const [suffixes, setSuffixes] = useState('')
  const bySuffix = ruleType === 'fixed_email_suffix'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onRule({ ruleType, ruleData: bySuffix ? suffixes : '' })
  }
  return (
    <Screen
      heading={heading}
      lead={lead}
      leave={{ icon: 'close', to: '/' }}
      actions={
        <BigButton
          variant="filled"
          type="submit"
          form="rule"
          loading={busy}
          disabled={bySuffix && suffixes.trim() === ''}
        >
          {t('domain.ruleSave')}
        </BigButton>
      }
    >
      <form id="rule" onSubmit={submit} autoComplete="off">
        <div role="radiogroup" aria-label={heading} className={classes.choices}>
          {ruleTypes.map((each) => (
            <label key={each} className={classes.choice}>
              <input
                type="radio"
                name="rule"
                value={each}
                checked={ruleType === each}
                onChange={() => setRuleType(each)}
                aria-label={t(`domain.rule_${each}`)}
                aria-describedby={`rule-${each}`}
              />
              <span>
                <span className={classes.name}>{t(`domain.rule_${each}`)}</span>
                <span id={`rule-${each}`} className={classes.help}>
                  {t(`domain.rule_${each}_help`)}
                </span>
              </span>
            </label>
          ))}
        </div>
        {bySuffix && (
          <TextInput
            mb="md"
            label={t('domain.suffixes')}
            description={t('domain.suffixesHelp', { most: mostSuffixes })}
            value={suffixes}
            onChange={(event) => setSuffixes(event.currentTarget.value)}
            inputMode="url"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={6000}
          />
        )}
      </form>
      {obstacle}
    </Screen>
  )
}
