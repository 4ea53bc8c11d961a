import { useText } from '../../i18n/text.ts'
import { ChoiceCard } from './ChoiceCard.tsx'
import wizard from './CreateWizard.module.css'
import type { StepProps } from './CreateWizard.tsx'
import { resolveChoice } from './create-choice.ts'
import classes from './Offers.module.css'
import { StepFrame } from './StepFrame.tsx'
import { useCreateSearch } from './use-create-search.ts'

/** Cloud or self-hosted. */
export function FlavourStep({ init }: StepProps) {
  const t = useText()
  const { search } = useCreateSearch()
  return (
    <StepFrame
      step="flavour"
      title={t('create.flavourTitle')}
      lead={t('create.flavourLead')}
      init={init}
      choice={resolveChoice(search, init.instanceInfo)}
    >
      <div className={wizard.stack} role="radiogroup" aria-label={t('create.stepFlavour')}>
        <ChoiceCard group="flavour" value="Cloud" chosen mark="right" onChoose={() => undefined}>
          <span className={classes.title}>{t('create.cloud')}</span>
          <span className={classes.text}>{t('create.cloudText')}</span>
        </ChoiceCard>
        <ChoiceCard group="flavour" value="SelfHost" chosen={false} disabled mark="right" onChoose={() => undefined}>
          <span className={classes.title}>{t('create.selfHost')}</span>
          <span className={classes.text}>{t('create.selfHostText')}</span>
          <span className={classes.beta}>{t('create.beta')}</span>
        </ChoiceCard>
      </div>
    </StepFrame>
  )
}
