import type { Domain } from '@atoll/contract/domains'
import { toDomainBase } from '@atoll/contract/domains'
import { Link } from '@tanstack/react-router'
import classes from './Domains.module.css'

/** The domain in its own letters, as a way to its page. */
export function DomainName({ domain: { domain, shown } }: { domain: Pick<Domain, 'domain' | 'shown'> }) {
  return (
    <Link to="/domain/$base" params={{ base: toDomainBase(domain) }} className={classes.name}>
      {shown}
    </Link>
  )
}
