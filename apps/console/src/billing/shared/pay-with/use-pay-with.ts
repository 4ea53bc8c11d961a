import { type PaymentMethod, paymentMethodDefault, paymentMethodList } from '@atoll/contract/payments'
import { useEffect, useState } from 'react'
import { useCall } from '../../../data/use-call.ts'
import { useCallMutation } from '../../../data/use-call-mutation.ts'
import { forgetLeft, readLeft } from './left-for-card.ts'

/** The result of a charge, as orders and payments answer it. */
interface ChargeOutcome {
  paid: boolean
  pending?: boolean | undefined
  actionUrl?: string | undefined
}

export interface PayWith {
  /** Undefined until the first answer. */
  methods: readonly PaymentMethod[] | undefined
  /** The card that pays: the chosen one, else one that was added from this page, else the default one. */
  method: PaymentMethod | undefined
  /** A card that was added from this page just now. */
  added: PaymentMethod | undefined
  choose: (id: string) => void
  /** Whether it is charged for renewals too; always false of the default one, which is. */
  renews: boolean
  setRenews: (renews: boolean) => void
  /**
   * For after the charge: makes the card the default where that was asked and the card did not decline, then goes on.
   */
  settle: (outcome: ChargeOutcome, goOn: () => void) => void
  isSettling: boolean
}

/** Which of the account's cards pays for what the balance does not cover. */
export function usePayWith(enabled: boolean): PayWith {
  const methods = useCall(paymentMethodList, {}, { enabled }).data?.methods
  const [chosen, choose] = useState<string>()
  const [isTicked, setRenews] = useState(false)
  const [left] = useState(readLeft)
  useEffect(forgetLeft, [])
  const makeDefault = useCallMutation(paymentMethodDefault, { toast: true })
  const added = left && methods?.find(({ id }) => !left.cards.includes(id))
  const method =
    methods?.find(({ id }) => id === chosen) ?? added ?? methods?.find(({ isDefault }) => isDefault) ?? methods?.[0]
  const renews = isTicked && method?.isDefault === false
  return {
    methods,
    method,
    added,
    choose,
    renews,
    setRenews,
    settle({ paid, pending, actionUrl }, goOn) {
      const isCharged = paid || pending === true || actionUrl !== undefined
      if (method && renews && isCharged) makeDefault.mutate({ id: method.id }, { onSuccess: goOn, onError: goOn })
      else goOn()
    },
    isSettling: makeDefault.isPending,
  }
}
