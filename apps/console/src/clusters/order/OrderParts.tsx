import { LazyPart } from '../../kit/page/LazyPart.tsx'
import type { OrderSplitProps } from './OrderSplit.tsx'

const load = async () => (await import('./OrderSplit.tsx')).OrderSplit

/** As `OrderSplit`, whose shapes of invoices and payments a home without bills does without. */
export function OrderParts(props: OrderSplitProps) {
  // A failure is shown; the next look at the page loads it again.
  return <LazyPart load={load} wanted onFailure={() => undefined} props={props} />
}
