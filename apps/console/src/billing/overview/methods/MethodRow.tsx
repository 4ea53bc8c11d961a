import {
  type PaymentMethod,
  paymentMethodDefault,
  paymentMethodDelete,
  paymentMethodUpdate,
} from '@atoll/contract/payments'
import { IconCheck, IconReplace, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { serverNow } from '../../../config/runtime-config.ts'
import { useCallMutation } from '../../../data/use-call-mutation.ts'
import { useChangeRefusal } from '../../../kit/browser/use-change-refusal.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { ActionMenu } from '../../../kit/menu/ActionMenu.tsx'
import { Tag } from '../../../kit/page/Tag.tsx'
import { useText } from '../../../locales/text.ts'
import { CardMark } from '../../shared/CardMark.tsx'
import { cardName } from '../../shared/card-names.ts'
import { cardExpiry } from '../../shared/pay-with/card-expiry.ts'
import classes from './MethodsCard.module.css'

type Expiry = Pick<PaymentMethod, 'expMonth' | 'expYear'>

interface MethodRowProps {
  method: PaymentMethod
  /** It was added just now, and is what a person comes back to. */
  isNew: boolean
}

/** One card, with what can be done with it. */
export function MethodRow({ method, isNew }: MethodRowProps) {
  const t = useText()
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isNew) row.current?.focus()
  }, [isNew])
  const { id, isDefault, state } = method
  const refused = useChangeRefusal()
  const makeDefault = useCallMutation(paymentMethodDefault, { toast: true })
  const replace = useCallMutation(paymentMethodUpdate, { toast: true, onSuccess: ({ url }) => location.assign(url) })
  const name = cardName(method, t)
  const isExpired = state === 'expired'
  return (
    <li ref={row} tabIndex={isNew ? -1 : undefined} className={classes.row}>
      <CardMark brand={method.cardBrand} />
      <div className="grow">
        <div className={classes.name}>{name}</div>
        <div className="tiny quiet num">
          {t(isExpired ? 'money.cardExpired' : 'money.cardExpires', { month: cardExpiry(method) })}
        </div>
      </div>
      {isExpired ? (
        <Tag tone="coral">{t('billing.expired')}</Tag>
      ) : (
        expiresSoon(method, serverNow()) && <Tag tone="amber">{t('billing.expiresSoon')}</Tag>
      )}
      {isDefault && <Tag>{t('money.defaultCard')}</Tag>}
      <ActionMenu
        size={30}
        variant="subtle"
        label={t('common.more', { name })}
        actions={[
          ...(isDefault
            ? []
            : [
                {
                  key: 'default',
                  label: t('billing.makeDefault'),
                  icon: IconCheck,
                  place: 'menu' as const,
                  busy: makeDefault.isPending,
                  disabledReason: refused,
                  onSelect: () => makeDefault.mutate({ id }),
                },
              ]),
          {
            key: 'replace',
            label: t('billing.replaceCard'),
            icon: IconReplace,
            place: 'menu',
            busy: replace.isPending,
            disabledReason: refused,
            onSelect: () => replace.mutate({ id, returnTo: '/billing' }),
          },
          {
            key: 'remove',
            label: t('billing.removeCard'),
            icon: IconTrash,
            place: 'menu',
            danger: true,
            disabledReason: refused,
            onSelect: () =>
              confirm({
                title: t('billing.removeTitle', { card: name }),
                lost: [t(isDefault ? 'billing.removeDefaultText' : 'billing.removeText')],
                keep: t('billing.removeKeep'),
                act: t('billing.removeCard'),
                danger: true,
                run: { call: paymentMethodDelete, body: { id } },
              }),
          },
        ]}
      />
    </li>
  )
}

/** Its last month is this or the next one, at `now`, ms. */
function expiresSoon({ expMonth, expYear }: Expiry, now: number): boolean {
  const today = new Date(now)
  const months = (expYear - today.getUTCFullYear()) * 12 + (expMonth - 1 - today.getUTCMonth())
  return months >= 0 && months <= 1
}
