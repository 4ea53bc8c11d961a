import { type MeteredProduct, meteredProducts } from '@atoll/contract/billing'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type TextKey, useText } from '../../../locales/text.ts'
import card from '../card/BillingCard.module.css'
import { readQuantity, type TypedUsage } from './assumed-usage.ts'
import classes from './ForecastCard.module.css'

const labels: Record<MeteredProduct, TextKey> = {
  cloud_storage: 'billing.assumeStorage',
  cloud_backup: 'billing.assumeBackup',
  cloud_traffic: 'billing.assumeTraffic',
  cdn_traffic: 'billing.assumeCdn',
}

interface AssumedUsageProps {
  typed: TypedUsage
  onType: (typed: TypedUsage) => void
}

/** At the foot of the forecast: what is to be used from now on, which it then counts. */
export function AssumedUsage({ typed, onType }: AssumedUsageProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  function leave() {
    setOpen(false)
    onType({})
  }
  if (!isOpen) {
    return (
      <div className={card.foot}>
        <span>{t('billing.assumeNone')}</span>
        <Button size="xs" className={card.footEnd ?? ''} onClick={() => setOpen(true)}>
          {t('billing.assume')}
        </Button>
      </div>
    )
  }
  return (
    <fieldset className={classes.assumed} aria-label={t('billing.assume')}>
      <div className={classes.fields}>
        {meteredProducts.map((product) => {
          const value = typed[product] ?? ''
          const isWrong = value.trim() !== '' && readQuantity(value) === undefined
          return (
            <TextInput
              key={product}
              label={t(labels[product])}
              rightSection={<span className={classes.unit}>{t('billing.gigabytes')}</span>}
              rightSectionPointerEvents="none"
              inputMode="decimal"
              autoComplete="off"
              placeholder="0"
              value={value}
              onChange={({ currentTarget }) => onType({ ...typed, [product]: currentTarget.value })}
              error={isWrong && t('billing.assumeWrong')}
            />
          )
        })}
      </div>
      <div className={classes.assumedFoot}>
        <p className={card.quiet}>{t('billing.assumeHelp')}</p>
        <Button size="xs" variant="subtle" className={card.footEnd ?? ''} onClick={leave}>
          {t('billing.assumeLeave')}
        </Button>
      </div>
    </fieldset>
  )
}
