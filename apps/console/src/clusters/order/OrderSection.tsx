import type { OverdueBill, UnpaidOrder } from '@atoll/contract/clusters'
import classes from '../frame/ClusterPage.module.css'
import { OrderLine } from './OrderLine.tsx'
import { OverdueLine } from './OverdueLine.tsx'

/** On the cluster's page: that it waits to be paid, and for how long. */
export function OrderSection({ order }: { order: UnpaidOrder }) {
  return (
    <section className="box clip">
      <div className={classes.cardHeader}>
        <OrderLine order={order} />
      </div>
    </section>
  )
}

/** The same of a bill that it is stopped for: until when it is kept. */
export function OverdueSection({ bill }: { bill: OverdueBill }) {
  return (
    <section className="box clip">
      <div className={classes.cardHeader}>
        <OverdueLine bill={bill} />
      </div>
    </section>
  )
}
