import {
  type PaymentMethod,
  paymentMethodDefault,
  paymentMethodDelete,
  paymentMethodUpdate,
} from '@atoll/contract/payments'
import { IconCheck, IconReplace, IconTrash } from '@tabler/icons-react'
import { ActionMenu } from '../../clusters/actions/ActionMenu.tsx'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useOfflineReason } from '../../kit/browser/use-offline-reason.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { Tag } from '../../kit/page/Tag.tsx'
import { useText } from '../../locales/text.ts'
import { CardMark } from '../../money/CardMark.tsx'
import { cardName } from '../../money/card-names.ts'
import { cardExpiry, expiresSoon } from './card-words.ts'
import classes from './MethodsCard.module.css'

/** One card, with what can be done with it. */
export function MethodRow({ method }: { method: PaymentMethod }) {
  const t = useText()
  const { id, isDefault, state } = method
  const offline = useOfflineReason()
  const makeDefault = useCallMutation(paymentMethodDefault, { toast: true })
  const replace = useCallMutation(paymentMethodUpdate, { toast: true, onSuccess: ({ url }) => location.assign(url) })
  const name = cardName(method, t)
  const isExpired = state === 'expired'
  return (
    <li className={classes.row}>
      <CardMark brand={method.cardBrand} />
      <div className="grow">
        <div className={classes.name}>{name}</div>
        <div className="tiny quiet num">
          {t(isExpired ? 'billing.cardExpired' : 'billing.cardExpires', { month: cardExpiry(method) })}
        </div>
      </div>
      {isExpired ? (
        <Tag tone="coral">{t('billing.expired')}</Tag>
      ) : (
        expiresSoon(method, serverNow()) && <Tag tone="amber">{t('billing.expiresSoon')}</Tag>
      )}
      {isDefault && <Tag>{t('billing.default')}</Tag>}
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
                  disabledReason: offline,
                  onSelect: () => makeDefault.mutate({ id }),
                },
              ]),
          {
            key: 'replace',
            label: t('billing.replaceCard'),
            icon: IconReplace,
            place: 'menu',
            busy: replace.isPending,
            disabledReason: offline,
            onSelect: () => replace.mutate({ id, returnTo: '/billing' }),
          },
          {
            key: 'remove',
            label: t('billing.removeCard'),
            icon: IconTrash,
            place: 'menu',
            danger: true,
            disabledReason: offline,
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
