import { createCluster, nextClusterName } from '@atoll/contract/clusters'
import { type CallForm, useCallForm } from '../../kit/form/use-call-form.ts'
import { nameProblem } from '../card/cluster-name.ts'
import { useNameCheck } from '../card/use-name-check.ts'
import { useClusters } from '../use-clusters.ts'
import { useCreateSearch } from './use-create-search.ts'

export interface OrderForm extends CallForm<typeof createCluster, { name: string }> {
  /** As it stands on the button; empty while it cannot be one. */
  name: string
  /** Keeps the name in the address. */
  keepName: () => void
}

/** The order of a cluster of `userid`: everything but the name was chosen before. The name is suggested at first. */
export function useOrderForm(userid: string, chosen: object | undefined): OrderForm {
  const { search, choose } = useCreateSearch()
  const { clusters = [] } = useClusters()
  const own = clusters.filter(({ owner }) => owner.userid === userid).map(({ name }) => name)
  const order = useCallForm(createCluster, {
    rest: chosen,
    values: { name: search.name ?? nextClusterName(own) },
    check: useNameCheck(userid),
  })
  const name = order.form.values.name.trim()
  // Between the answer and the page that follows, its own name is already in the list.
  const isSent = order.isPending || order.isSuccess
  return {
    ...order,
    name: isSent || !nameProblem(name, own) ? name : '',
    keepName: () => choose({ name: name || undefined }),
  }
}
