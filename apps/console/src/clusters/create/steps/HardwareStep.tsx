import { Notice } from '@atoll/ui'
import { UnreadableRows } from '../../../kit/table/UnreadableRows.tsx'
import { useText } from '../../../locales/text.ts'
import { resolveChoice } from '../../offers/create-choice.ts'
import { OfferCard } from '../../offers/OfferCard.tsx'
import classes from '../../offers/Offers.module.css'
import { useHardwareWords } from '../../offers/use-hardware-words.ts'
import wizard from '../CreateWizard.module.css'
import type { StepProps } from '../step-props.ts'
import { useCreateSearch } from '../use-create-search.ts'
import { OnlyChoice } from './OnlyChoice.tsx'
import { PlaceChoice } from './PlaceChoice.tsx'
import { StepFrame } from './StepFrame.tsx'

/** Provider, region and size. */
export function HardwareStep({ init }: StepProps) {
  const t = useText()
  const hardwareWords = useHardwareWords()
  const { search, choose } = useCreateSearch()
  const info = init.instanceInfo
  const choice = resolveChoice(search, info)
  const { cloud, region, offers, offer } = choice
  // That nothing is charged, the summary says once.
  const isFree = offers.every(({ price }) => price?.amount === 0)
  return (
    <StepFrame
      step="hardware"
      title={t('create.hardwareTitle')}
      lead={t('create.hardwareLead')}
      init={init}
      choice={choice}
      blocked={offer ? undefined : t('create.noneAvailableTitle')}
    >
      <PlaceChoice
        group="cloud"
        title={t('create.provider')}
        places={info.clouds.map(({ cloudName, title }) => ({ value: cloudName, title }))}
        chosen={cloud?.cloudName}
        onChoose={(cloudName) => choose({ cloud: cloudName })}
      />
      <UnreadableRows of={info.clouds} />
      <PlaceChoice
        group="region"
        title={t('create.region')}
        places={(cloud?.regions ?? []).map(({ regionId, title, place }) => ({ value: regionId, title, place }))}
        chosen={region?.regionId}
        onChoose={(regionId) => choose({ region: regionId })}
      />
      <UnreadableRows of={cloud?.regions} />
      {offer && offers.length === 1 ? (
        <OnlyChoice title={t('create.size')} text={[offer.offering.title, hardwareWords(offer.offering)].join(' · ')} />
      ) : (
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
                showsPrice={!isFree}
                regionTitle={region?.title ?? ''}
                chosen={item === offer}
                onChoose={() => choose({ offering: item.offering.name })}
                onRegion={(regionId) => choose({ region: regionId, offering: item.offering.name })}
              />
            ))}
          </div>
          <UnreadableRows of={info.data} />
        </fieldset>
      )}
    </StepFrame>
  )
}
