import { Button, Skeleton } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { LazyPart } from '../../kit/page/LazyPart.tsx'
import { PartBoundary } from '../../kit/page/PartBoundary.tsx'
import { useText } from '../../locales/text.ts'

interface LazyPanelProps<Props extends object> {
  load: () => Promise<ComponentType<Props>>
  props: Props
}

/** A tab's content, whose code comes with the first look at it. */
export function LazyPanel<Props extends object>({ load, props }: LazyPanelProps<Props>) {
  const t = useText()
  const [wanted, setWanted] = useState(true)
  if (!wanted) return <Button onClick={() => setWanted(true)}>{t('failure.retry')}</Button>
  return (
    <PartBoundary>
      <LazyPart
        load={load}
        wanted
        onFailure={() => setWanted(false)}
        props={props}
        fallback={<Skeleton height={220} radius={10} />}
      />
    </PartBoundary>
  )
}
