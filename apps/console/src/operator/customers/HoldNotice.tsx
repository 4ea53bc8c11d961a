import type { Hold } from '@atoll/contract/accounts'
import { type CustomerDetail, customerRelease } from '@atoll/contract/staff'
import { displayName, lookUp } from '@atoll/contract/wire'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { type TextKey, useLocale, useText } from '../../locales/text.ts'
import { ActNotice } from './ActNotice.tsx'
import { holdWords } from './hold-words.ts'

interface HoldNoticeProps {
  hold: Hold
  customer: CustomerDetail
  onChanged: () => void
}

/** A suspension: since when, why, what the owner reads and answered, and releasing it. */
export function HoldNotice({ hold, customer, onChanged }: HoldNoticeProps) {
  const t = useText()
  const locale = useLocale()
  const [isMistake, setMistake] = useState(false)
  const id = displayName(customer.person)
  const cluster = customer.clusterList.find(({ clusterId }) => clusterId === hold.clusterId)?.name ?? hold.clusterId
  const at = (time: string) => formatDayAndTimeWithin(time, Date.now(), locale)
  const why = t(lookUp(holdWords.reasons, hold.reason, hold.reason as string as TextKey))
  return (
    <ActNotice
      title={
        cluster === null
          ? t('operator.heldSince', { at: at(hold.since), why })
          : t('operator.heldCluster', { at: at(hold.since), why, cluster })
      }
      label={t('operator.release')}
      onClosed={onChanged}
      dialog={{
        title: t('operator.releaseTitle', { id }),
        lead: t('operator.releaseText'),
        act: 'release',
        call: customerRelease,
        fields: { holdId: hold.holdId, ...(isMistake && { isMistake }) },
        asks: { object: isMistake ? `mistake ${hold.holdId}` : hold.holdId, name: id },
        keep: t('operator.releaseKeep'),
        children: () =>
          hold.scope === 'servers' && (
            <Checkbox
              label={t('operator.mistake')}
              checked={isMistake}
              onChange={(event) => setMistake(event.currentTarget.checked)}
            />
          ),
      }}
    >
      {t('operator.reads', { text: hold.text })}{' '}
      {hold.answer
        ? t('operator.answered', { at: at(hold.answer.at), text: hold.answer.text })
        : hold.answerBy && t('operator.noAnswer', { at: at(hold.answerBy) })}
    </ActNotice>
  )
}
