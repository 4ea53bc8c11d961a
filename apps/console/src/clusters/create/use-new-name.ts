import { useState } from 'react'
import { nameProblem, suggestName } from '../card/cluster-name.ts'
import { useClusters } from '../use-clusters.ts'
import { useCreateSearch } from './use-create-search.ts'

/**
 * The name being given: suggested at first, checked once the field was left or the order was sent, kept in the
 * address.
 */
export function useNewName(userid: string, isSent: boolean) {
  const { search, choose } = useCreateSearch()
  // Names are one's own: somebody else's cluster, which an Admin sees, takes none away.
  const taken = (useClusters().clusters ?? []).filter(({ owner }) => owner.userid === userid).map(({ name }) => name)
  const [name, setName] = useState(() => search.name ?? suggestName(taken))
  const [checked, setChecked] = useState(false)
  // Between the answer and the page that follows, its own name is already in the list.
  const problem = isSent ? undefined : nameProblem(name, taken)
  return {
    name: name.trim(),
    problem,
    check: () => setChecked(true),
    field: {
      value: name,
      onChange: setName,
      onBlur: () => {
        setChecked(true)
        choose({ name: name.trim() || undefined })
      },
      problem: checked ? problem : undefined,
    },
  }
}
