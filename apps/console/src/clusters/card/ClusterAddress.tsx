import type { Resource } from '@atoll/contract/clusters'
import { IconLink } from '@tabler/icons-react'
import { CopyValue } from '../../kit/page/CopyValue.tsx'
import { useText } from '../../locales/text.ts'
import { addressHost } from './address-host.ts'
import classes from './ClusterAddress.module.css'

interface ClusterAddressProps {
  cluster: Resource
  /** `chip` on a card, `line` among other facts. */
  form: 'chip' | 'line'
  /** The address at its other provider. */
  isSecond?: boolean
}

/** Where a visitor reaches the cluster, with a button that copies it. */
export function ClusterAddress({ cluster, form, isSecond = false }: ClusterAddressProps) {
  const t = useText()
  if (!cluster.url) return null
  const address = addressHost(cluster.url)
  return (
    <span className={classes.address} data-form={form}>
      {form === 'chip' && <IconLink size={14} stroke={1.7} aria-hidden="true" />}
      <a
        href={cluster.url}
        target="_blank"
        rel="noopener"
        aria-label={t('cluster.addressOf', { address, name: cluster.name })}
      >
        {address}
      </a>
      <CopyValue
        value={cluster.url}
        what={t(isSecond ? 'cluster.secondAddress' : 'cluster.itsAddress', { name: cluster.name })}
      />
    </span>
  )
}
