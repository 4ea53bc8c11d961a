import { attentionCount } from '@atoll/contract/staff'
import { useCall } from '../../data/use-call.ts'

/** How many items wait, beside Overview in the sidebar. */
export function AttentionCount({ className }: { className: string }) {
  const { data } = useCall(attentionCount, {})
  return data !== undefined && data.count > 0 ? <span className={className}>{data.count}</span> : null
}
