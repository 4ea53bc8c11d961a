import { useRouter } from '@tanstack/react-router'
import { sayOnPage } from '../../kit/page/page-notice.ts'
import type { AfterPayment } from './after-payment.ts'

/** Goes to where a payment leads, in place of the page on which it was made: the way back must order nothing. */
export function useGoOn(): (after: AfterPayment) => void {
  const { history } = useRouter()
  return ({ to, text }) => {
    if (text !== undefined) sayOnPage(to.split('?')[0] ?? to, text)
    history.replace(to)
  }
}
