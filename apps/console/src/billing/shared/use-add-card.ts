import { paymentMethodAdd } from '@atoll/contract/payments'
import { useCallMutation } from '../../data/use-call-mutation.ts'

export interface AddCard {
  /** Leaves for the page on which a card is entered; it leads back to `returnTo`, a path without a query. */
  addCard: (returnTo: string) => void
  isPending: boolean
}

/** `onLeave`: before the page is left. A failure is shown in a toast. */
export function useAddCard(onLeave?: () => void): AddCard {
  const add = useCallMutation(paymentMethodAdd, {
    toast: true,
    onSuccess({ url }) {
      onLeave?.()
      location.assign(url)
    },
  })
  return { addCard: (returnTo) => add.mutate({ returnTo }), isPending: add.isPending }
}
