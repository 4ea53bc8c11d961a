import { disputeAnswer, type StaffDispute } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { Textarea } from '@mantine/core'
import { IconCheck, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import type { DocumentLook } from '../../billing/shared/document-looks.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { formatDayAndTime, formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import { PersonLink } from '../customers/PersonLink.tsx'
import { LookBadge } from '../parts/LookBadge.tsx'
import { OperatorMenu } from '../parts/OperatorMenu.tsx'
import { TablePanel } from '../parts/TablePanel.tsx'

interface DisputeTableProps {
  disputes: readonly StaffDispute[]
  currency: 'usd' | 'cny'
  onChanged: () => void
}

const looks: Record<StaffDispute['state'], DocumentLook> = {
  open: { label: 'operator.answerNeeded', colour: 'coral', shape: 'disc' },
  inquiry: { label: 'operator.bankAsks', colour: 'amber', shape: 'disc' },
  won: { label: 'operator.disputeWon', colour: 'green', shape: 'disc' },
  lost: { label: 'operator.disputeLost', colour: 'coral', shape: 'square' },
  closed: { label: 'operator.disputeClosed', colour: 'grey', shape: 'square' },
}

/** Disputes at banks, the first deadline first; each is answered once: with evidence, or by accepting it. */
export function DisputeTable({ disputes, currency, onChanged }: DisputeTableProps) {
  const t = useText()
  const locale = useLocale()
  const [opened, setOpened] = useState<{ dispute: StaffDispute; way: 'evidence' | 'accept' }>()
  const [text, setText] = useState('')
  const amount = (minor: number) => formatMoney(minor, currency, locale)
  const at = (time: string) => formatDayAndTime(time, Date.now(), locale)
  const count = (state: string) => disputes.filter((one) => one.state === state).length
  const isOver = ({ dueBy }: StaffDispute) => dueBy !== null && new Date(dueBy).getTime() <= Date.now()
  const deadline = (one: StaffDispute) => {
    if (one.answer)
      return t(one.answer.isSent ? 'operator.answeredBank' : 'operator.answerOnItsWay', {
        at: formatDayAndTimeWithin(one.answer.at, Date.now(), locale),
      })
    if (one.state !== 'open' && one.state !== 'inquiry') return ''
    if (isOver(one)) return t('operator.deadlinePassed')
    return one.dueBy ? at(one.dueBy) : ''
  }
  const answers = (dispute: StaffDispute) => {
    const isWaiting = (dispute.state === 'open' || dispute.state === 'inquiry') && !dispute.answer && !isOver(dispute)
    if (!isWaiting) return null
    const open = (way: 'evidence' | 'accept') => () => {
      setText('')
      setOpened({ dispute, way })
    }
    return (
      <OperatorMenu
        name={displayName(dispute.person)}
        actions={[
          { key: 'evidence', label: t('operator.sendEvidence'), icon: IconSend, onSelect: open('evidence') },
          {
            key: 'accept',
            label: t('operator.acceptDispute'),
            icon: IconCheck,
            danger: true,
            onSelect: open('accept'),
          },
        ]}
      />
    )
  }
  return (
    <>
      <TablePanel
        title={t('operator.disputes')}
        note={t('operator.disputesEnded', { won: count('won'), lost: count('lost') })}
        none={t('operator.noDispute')}
        rows={disputes}
        rowKey={({ disputeId }) => disputeId}
        columns={[
          {
            header: t('operator.customer'),
            leads: true,
            cell: ({ person, number }) => <PersonLink person={person} second={number} />,
            phone: 'first',
          },
          {
            header: t('operator.reason'),
            cell: ({ reason }) => reason.replaceAll('_', ' '),
            width: '18%',
            isQuiet: true,
          },
          { header: t('operator.answerUntil'), cell: deadline, width: '22%', isQuiet: true, phone: 'second' },
          {
            header: t('operator.state'),
            cell: ({ state }) => <LookBadge looks={looks} state={state} />,
            width: '18%',
            phone: 'second-end',
          },
          {
            header: t('operator.amount'),
            cell: (row) => <span className="num">{amount(row.amount)}</span>,
            width: '12%',
            align: 'right',
            phone: 'first-end',
          },
          { header: t('operator.actions'), cell: answers, width: '56px', isActions: true, phone: 'first-end' },
        ]}
      />
      {opened && (
        <ActDialog
          onClose={() => {
            setOpened(undefined)
            onChanged()
          }}
          title={t(opened.way === 'evidence' ? 'operator.evidenceTitle' : 'operator.acceptTitle', {
            amount: amount(opened.dispute.amount),
          })}
          lead={t(opened.way === 'evidence' ? 'operator.evidenceText' : 'operator.acceptText')}
          act="dispute"
          call={disputeAnswer}
          fields={{ disputeId: opened.dispute.disputeId, way: opened.way, ...(opened.way === 'evidence' && { text }) }}
          asks={{
            object: `${opened.way} ${opened.dispute.disputeId}`,
            name: displayName(opened.dispute.person),
            amount: opened.dispute.amount,
            currency,
          }}
          isDanger={opened.way === 'accept'}
        >
          {() =>
            opened.way === 'evidence' && (
              <Textarea
                label={t('operator.inYourWords')}
                description={t('operator.inYourWordsHelp')}
                value={text}
                maxLength={5000}
                autosize
                minRows={4}
                data-autofocus
                onChange={(event) => setText(event.currentTarget.value)}
              />
            )
          }
        </ActDialog>
      )}
    </>
  )
}
