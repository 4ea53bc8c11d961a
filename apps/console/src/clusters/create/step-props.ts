import type { Init } from '../../data/home-queries.ts'

/** What every step of creating a cluster is given. */
export interface StepProps {
  init: Init
  userid: string
  /** Of a Cloudflare tunnel; a secret, so it lives as long as the page and stands in no address. */
  tunnelToken: string
  onTunnelToken: (token: string) => void
}
