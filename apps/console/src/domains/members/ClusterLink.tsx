import type { MemberAddress } from '@atoll/contract/domains'
import { Link } from '@tanstack/react-router'
import { useText } from '../../locales/text.ts'
import classes from './Members.module.css'

/** The cluster that answers at an address: the owner of the domain may see it. */
export function ClusterLink({ address: { clusterId, clusterName, host } }: { address: MemberAddress }) {
  const t = useText()
  return (
    <Link to="/cluster/$clusterId" params={{ clusterId }} className={classes.cluster ?? ''}>
      {host.startsWith('*.') ? t('domains.addresses.apps', { name: clusterName }) : clusterName}
    </Link>
  )
}
