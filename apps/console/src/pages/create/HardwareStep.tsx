import { Notice } from '@atoll/ui'
import { ChoiceCard } from '../../components/offers/ChoiceCard.tsx'
import { resolveChoice } from '../../components/offers/create-choice.ts'
import { OfferCard } from '../../components/offers/OfferCard.tsx'
import classes from '../../components/offers/Offers.module.css'
import { useText } from '../../i18n/text.ts'
import wizard from './CreateWizard.module.css'
import { StepFrame } from './StepFrame.tsx'
import type { StepProps } from './step-props.ts'
import { useCreateSearch } from './use-create-search.ts'

/** Provider, region and size. */
export function HardwareStep({ init }: StepProps) {
  const t = useText()
  const { search, choose } = useCreateSearch()
  const info = init.instanceInfo
  const choice = resolveChoice(search, info)
  const { cloud, region, offers, offer } = choice
  return (
    <StepFrame
      step="hardware"
      title={t('create.hardwareTitle')}
      lead={t('create.hardwareLead')}
      init={init}
      choice={choice}
      blocked={offer ? undefined : t('create.noneAvailableTitle')}
    >
      <fieldset className={wizard.section}>
        <legend className={classes.legend}>{t('create.provider')}</legend>
        <div className={wizard.row}>
          {info.clouds.map(({ cloudName, title }) => (
            <ChoiceCard
              key={cloudName}
              group="cloud"
              value={cloudName}
              mark="left"
              chosen={cloudName === cloud?.cloudName}
              onChoose={() => choose({ cloud: cloudName })}
            >
              <span className={classes.title}>{title}</span>
            </ChoiceCard>
          ))}
        </div>
      </fieldset>
      <fieldset className={wizard.section}>
        <legend className={classes.legend}>{t('create.region')}</legend>
        <div className={wizard.row}>
          {cloud?.regions.map(({ regionId, title, place }) => (
            <ChoiceCard
              key={regionId}
              group="region"
              value={regionId}
              mark="left"
              chosen={regionId === region?.regionId}
              onChoose={() => choose({ region: regionId })}
            >
              <span className={classes.title}>{title}</span>
              <span className={classes.place}>{place}</span>
            </ChoiceCard>
          ))}
        </div>
      </fieldset>
      <fieldset className={wizard.section}>
        <legend className={classes.legend}>{t('create.size')}</legend>
        {!offer && (
          <div className={classes.none}>
            <Notice tone="amber" title={t('create.noneAvailableTitle')}>
              {t('create.noneAvailable')}
            </Notice>
          </div>
        )}
        <div className={wizard.cards}>
          {offers.map((item) => (
            <OfferCard
              key={item.offering.name}
              offer={item}
              regionTitle={region?.title ?? ''}
              chosen={item === offer}
              onChoose={() => choose({ offering: item.offering.name })}
              onRegion={(regionId) => choose({ region: regionId, offering: item.offering.name })}
            />
          ))}
        </div>
      </fieldset>
    </StepFrame>
  )
}
