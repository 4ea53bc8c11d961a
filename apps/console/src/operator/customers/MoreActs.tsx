import { accountExportsPath } from '@atoll/contract/accounts'
import {
  type CustomerDetail,
  customerCoupon,
  customerCurrency,
  customerEmailReset,
  customerExport,
  customerMail,
  customerQuota,
  customerSignOut,
} from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import {
  IconCoin,
  IconDownload,
  IconGauge,
  IconLogout,
  IconMail,
  IconMailOff,
  IconTicket,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { showFailure } from '../../data/show-toast.ts'
import { downloadFile } from '../../kit/files/download-file.ts'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import { type TextKey, useLocale, useText } from '../../locales/text.ts'
import { CallDialog } from '../approve/CallDialog.tsx'
import { ReasonDialog } from '../approve/ReasonDialog.tsx'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'
import { EraseDialog } from './ClosingNotice.tsx'

interface MoreActsProps {
  customer: CustomerDetail
  onChanged: () => void
}

const acts = {
  mail: { label: 'operator.sendMail', icon: IconMail },
  quota: { label: 'operator.changeQuota', icon: IconGauge },
  coupon: { label: 'operator.redeemCoupon', icon: IconTicket },
  currency: { label: 'operator.correctCurrency', icon: IconCoin },
  email: { label: 'operator.resetEmail', icon: IconMailOff },
  signOut: { label: 'operator.signOutAll', icon: IconLogout },
  exportData: { label: 'operator.exportData', icon: IconDownload },
  erase: { label: 'operator.erase', icon: IconTrash },
} as const
type ActName = keyof typeof acts

/** Acts of an operator that need no approval; each is recorded with its reason. */
export function MoreActs({ customer, onChanged }: MoreActsProps) {
  const t = useText()
  const disabledReason = useOperatorsOnly()
  const [opened, setOpened] = useState<ActName>()
  const close = () => {
    setOpened(undefined)
    onChanged()
  }
  const shared = { customer, onClose: close }
  return (
    <>
      <ActionMenu
        label={t('operator.moreActs', { id: displayName(customer.person) })}
        size={36}
        variant="default"
        actions={(Object.keys(acts) as ActName[]).map((key) => ({
          key,
          label: t(acts[key].label),
          icon: acts[key].icon,
          place: 'menu' as const,
          disabledReason,
          onSelect: () => setOpened(key),
        }))}
      />
      {opened === 'mail' && <MailDialog {...shared} />}
      {opened === 'quota' && <QuotaDialog {...shared} />}
      {opened === 'coupon' && <CouponDialog {...shared} />}
      {opened === 'currency' && <CurrencyDialog {...shared} />}
      {(opened === 'email' || opened === 'signOut') && (
        <ReasonDialog
          title={t('operator.actOn', { act: t(acts[opened].label), id: displayName(customer.person) })}
          lead={t(opened === 'email' ? 'operator.resetEmailText' : 'operator.signOutText')}
          act={t(acts[opened].label)}
          call={opened === 'email' ? customerEmailReset : customerSignOut}
          rest={{ accountId: customer.person.accountId }}
          onDone={close}
          onClose={close}
        />
      )}
      {opened === 'exportData' && <ExportDialog {...shared} />}
      {opened === 'erase' && <EraseDialog {...shared} />}
    </>
  )
}

interface SharedProps {
  customer: CustomerDetail
  onClose: () => void
}

interface FrameProps<Answer> extends SharedProps, Pick<ComponentProps<typeof CallDialog<Answer>>, 'form' | 'children'> {
  act: ActName
  lead?: TextKey
}

function Frame<Answer>({ customer, act, lead, onClose, form, children }: FrameProps<Answer>) {
  const t = useText()
  const word = t(acts[act].label)
  return (
    <CallDialog
      title={t('operator.actOn', { act: word, id: displayName(customer.person) })}
      lead={lead && t(lead)}
      act={word}
      form={form}
      onDone={onClose}
      onClose={onClose}
    >
      {children}
    </CallDialog>
  )
}

function MailDialog(props: SharedProps) {
  const t = useText()
  const rest = { accountId: props.customer.person.accountId }
  const form = useCallForm(customerMail, { rest, values: { subject: '', text: '' } })
  return (
    <Frame {...props} act="mail" lead="operator.mailText" form={form}>
      <TextInput label={t('operator.subject')} maxLength={200} data-autofocus {...form.field('subject')} />
      <Textarea label={t('operator.message')} maxLength={10_000} autosize minRows={5} {...form.field('text')} />
    </Frame>
  )
}

function QuotaDialog(props: SharedProps) {
  const t = useText()
  const rest = { accountId: props.customer.person.accountId }
  const form = useCallForm(customerQuota, { rest, values: { vCpu: String(props.customer.vCpuQuota), reason: '' } })
  return (
    <Frame {...props} act="quota" form={form}>
      <TextInput
        label={t('operator.quotaLabel')}
        inputMode="numeric"
        data-autofocus
        {...form.field('vCpu', t('operator.quotaHelp'))}
      />
      <Textarea label={t('operator.reason')} autosize minRows={2} {...form.field('reason')} />
    </Frame>
  )
}

function CouponDialog(props: SharedProps) {
  const t = useText()
  const rest = { accountId: props.customer.person.accountId }
  const form = useCallForm(customerCoupon, { rest, values: { code: '', reason: '' } })
  return (
    <Frame {...props} act="coupon" form={form}>
      <TextInput label={t('operator.couponCode')} autoComplete="off" data-autofocus {...form.field('code')} />
      <Textarea label={t('operator.reason')} autosize minRows={2} {...form.field('reason')} />
    </Frame>
  )
}

function CurrencyDialog(props: SharedProps) {
  const t = useText()
  const rest = { accountId: props.customer.person.accountId }
  const values = { currency: props.customer.currency === 'usd' ? ('cny' as const) : ('usd' as const), reason: '' }
  const form = useCallForm(customerCurrency, { rest, values })
  return (
    <Frame {...props} act="currency" lead="operator.currencyText" form={form}>
      <NativeSelect
        label={t('operator.currency')}
        data={[
          { value: 'usd', label: t('operator.dollars') },
          { value: 'cny', label: t('operator.yuan') },
        ]}
        {...form.field('currency')}
      />
      <Textarea label={t('operator.reason')} autosize minRows={2} {...form.field('reason')} />
    </Frame>
  )
}

/** Asks for an archive; one that is ready is downloaded here. */
function ExportDialog(props: SharedProps) {
  const t = useText()
  const locale = useLocale()
  const { person, export: made } = props.customer
  const form = useCallForm(customerExport, { rest: { accountId: person.accountId }, values: { reason: '' } })
  const save = useMutation({
    mutationFn: (id: string) =>
      downloadFile({ path: `${accountExportsPath}/${id}.zip`, type: 'application/zip', name: `${id}.zip` }),
    onError: showFailure,
  })
  return (
    <Frame {...props} act="exportData" lead="operator.exportText" form={form}>
      {made?.state === 'making' && <p>{t('operator.exportMaking')}</p>}
      {made?.state === 'ready' && (
        <Button loading={save.isPending} onClick={() => save.mutate(made.exportId)}>
          {t('operator.exportDownload', { at: formatDayAndTimeWithin(made.askedAt, Date.now(), locale) })}
        </Button>
      )}
      <Textarea label={t('operator.reason')} autosize minRows={2} data-autofocus {...form.field('reason')} />
    </Frame>
  )
}
