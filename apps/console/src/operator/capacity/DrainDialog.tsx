import { type CapacityMemberRow, type CapacityRegion, drainPlan, drainStart } from '@atoll/contract/staff'
import { formatMiB } from '@atoll/ui/i18n'
import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { ChoiceCard } from '../../kit/form/ChoiceCard.tsx'
import { readerZone } from '../../kit/format/reader-zone.ts'
import { formatClock } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import classes from './Capacity.module.css'
import { tonight } from './tonight.ts'

interface DrainDialogProps {
  region: CapacityRegion
  member: CapacityMemberRow['member']
  onClose: () => void
}

/** Moves what a member has elsewhere in its region: room is counted first, and when it is done is chosen. */
export function DrainDialog({ region, member, onClose }: DrainDialogProps) {
  const t = useText()
  const locale = useLocale()
  const { cloudName, regionId, title } = region
  const at = { cloudName, regionId, member }
  const [night] = useState(() => tonight(serverNow(), readerZone()))
  const [isTonight, setTonight] = useState(true)
  const { data: plan, error } = useCall(drainPlan, at)
  const count = plan?.instances ?? 0
  const facts: readonly [string, string][] = plan
    ? [
        [
          t('capacity.drainInstances'),
          t('capacity.drainSizes', {
            count,
            disk: formatMiB(plan.disk, locale),
            used: formatMiB(plan.diskUsed, locale),
          }),
        ],
        [t('capacity.drainRoom', { region: title, member }), t('capacity.drainFits', { fitting: plan.fitting, count })],
        [t('capacity.drainLeft'), t('capacity.instances', { count: count - plan.fitting })],
      ]
    : []
  return (
    <ActDialog
      onClose={onClose}
      title={t('capacity.drainTitle', { member })}
      lead={t('capacity.drainText', { count })}
      act="drain"
      call={drainStart}
      fields={{
        ...at,
        ...(isTonight && { beginsAt: new Date(night.from).toISOString(), endsAt: new Date(night.to).toISOString() }),
      }}
      asks={{ object: `member ${cloudName}/${regionId}/${member}`, name: member }}
    >
      {() => (
        <>
          {error ? (
            <p>{error.message}</p>
          ) : plan ? (
            <dl className={classes.facts}>
              {facts.map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          ) : (
            <Skeleton height={120} />
          )}
          <fieldset className={classes.choices}>
            <legend>{t('capacity.drainWhat')}</legend>
            <ChoiceCard group="drain-what" value="fitting" chosen onChoose={() => undefined} mark="left">
              {t('capacity.drainFitting')}
              <div className="small quiet">
                {plan && t('capacity.drainFrees', { count: plan.fitting, disk: formatMiB(plan.fittingDisk, locale) })}
              </div>
            </ChoiceCard>
            <ChoiceCard
              group="drain-what"
              value="elsewhere"
              chosen={false}
              onChoose={() => undefined}
              mark="left"
              disabled
            >
              {t('capacity.drainElsewhere')}
              <div className="small quiet">{t('capacity.drainNotElsewhere', { region: title })}</div>
            </ChoiceCard>
          </fieldset>
          <fieldset className={classes.choices}>
            <legend>{t('capacity.drainWhen')}</legend>
            <ChoiceCard
              group="drain-when"
              value="tonight"
              chosen={isTonight}
              onChoose={() => setTonight(true)}
              mark="left"
            >
              {t('capacity.drainTonight', { from: formatClock(night.from, locale), to: formatClock(night.to, locale) })}
            </ChoiceCard>
            <ChoiceCard
              group="drain-when"
              value="now"
              chosen={!isTonight}
              onChoose={() => setTonight(false)}
              mark="left"
            >
              {t('capacity.drainNow')}
            </ChoiceCard>
          </fieldset>
          <p className="small quiet">{t('capacity.drainMails')}</p>
        </>
      )}
    </ActDialog>
  )
}
