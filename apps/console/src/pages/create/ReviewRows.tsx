import { formatMiB } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useLocale, useText } from '../../i18n/text.ts'
import type { CreateChoice } from './create-choice.ts'
import type { CreateStep } from './create-search.ts'
import classes from './Offers.module.css'

interface ReviewRowsProps {
  choice: CreateChoice
  owner: string
}

/** Every choice with the way back to it. */
export function ReviewRows({ choice: { cloud, region, offer, version }, owner }: ReviewRowsProps) {
  const t = useText()
  const locale = useLocale()
  const hardware =
    offer &&
    [
      offer.offering.title,
      t('cluster.vCpu', { count: offer.offering.cpuCoreCount }),
      t('cluster.memory', { size: formatMiB(offer.offering.memorySize, locale) }),
      t('cluster.disk', { size: formatMiB(offer.offering.diskSize, locale) }),
    ].join(' · ')
  const rows: { title: string; value: string; step?: CreateStep }[] = [
    { title: t('create.rowFlavour'), value: t('create.cloud'), step: 'flavour' },
    { title: t('create.rowHardware'), value: hardware ?? '', step: 'hardware' },
    {
      title: t('create.rowRegion'),
      value: [cloud?.title, region?.title].filter(Boolean).join(' · '),
      step: 'hardware',
    },
    { title: t('create.rowVersion'), value: version?.title ?? '', step: 'version' },
    { title: t('create.rowOwner'), value: owner },
  ]
  return (
    <dl className={classes.review}>
      {rows.map(({ title, value, step }) => (
        <div key={title} className={classes.reviewRow}>
          <dt>{title}</dt>
          <dd>{value}</dd>
          {step && (
            <dd>
              <Button
                variant="subtle"
                size="xs"
                aria-label={t('create.changeWhat', { what: title })}
                renderRoot={(props) => <Link {...props} to="." search={(before) => ({ ...before, step })} />}
              >
                {t('create.change')}
              </Button>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
