import type { Resource } from '@atoll/contract/clusters'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { LazyPart } from '../../kit/page/LazyPart.tsx'
import { useText } from '../../locales/text.ts'

const load = async () => (await import('../network/NetworkTab.tsx')).NetworkTab

/** The traffic of a cluster, whose code comes with the first look at it. */
export function NetworkPanel({ cluster }: { cluster: Resource }) {
  const t = useText()
  const [wanted, setWanted] = useState(true)
  if (!wanted) return <Button onClick={() => setWanted(true)}>{t('failure.retry')}</Button>
  return (
    <LazyPart
      load={load}
      wanted
      onFailure={() => setWanted(false)}
      props={{ cluster }}
      fallback={<Skeleton height={220} radius={10} />}
    />
  )
}
