import { ChoiceCard } from '../../../kit/form/ChoiceCard.tsx'
import { useText } from '../../../locales/text.ts'
import { resolveChoice } from '../../offers/create-choice.ts'
import classes from '../../offers/Offers.module.css'
import wizard from '../CreateWizard.module.css'
import type { StepProps } from '../step-props.ts'
import { useCreateSearch } from '../use-create-search.ts'
import { StepFrame } from './StepFrame.tsx'

/** Cloud or self-hosted. */
export function FlavourStep({ init }: StepProps) {
  const t = useText()
  const { search, choose } = useCreateSearch()
  return (
    <StepFrame
      step="flavour"
      title={t('create.flavourTitle')}
      lead={t('create.flavourLead')}
      init={init}
      choice={resolveChoice(search, init.instanceInfo)}
    >
      <div className={wizard.stack} role="radiogroup" aria-label={t('create.stepFlavour')}>
        <ChoiceCard
          group="flavour"
          value="Cloud"
          chosen={search.flavour !== 'SelfHost'}
          mark="right"
          onChoose={() => choose({ flavour: undefined })}
        >
          <span className={classes.title}>{t('create.cloud')}</span>
          <span className={classes.text}>{t('create.cloudText')}</span>
        </ChoiceCard>
        <ChoiceCard
          group="flavour"
          value="SelfHost"
          chosen={search.flavour === 'SelfHost'}
          mark="right"
          onChoose={() => choose({ flavour: 'SelfHost' })}
        >
          <span className={classes.title}>{t('create.selfHost')}</span>
          <span className={classes.text}>{t('create.selfHostText')}</span>
        </ChoiceCard>
      </div>
    </StepFrame>
  )
}
